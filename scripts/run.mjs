// `npm start` and every other command of the program: prepares, then runs it in this process.
import { prepare } from './prepare.mjs'
import { stopWithParent } from './stop-with-parent.mjs'

stopWithParent()
prepare({ tools: false })
await import('../dist/cli.js')
