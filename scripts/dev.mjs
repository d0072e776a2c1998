// `npm run dev`: runs from the sources and restarts when one of them changes.
import { spawn } from 'node:child_process'
import { prepare, prepareConsole, root } from './prepare.mjs'
import { stopWithParent } from './stop-with-parent.mjs'

stopWithParent()
prepare({ build: false })
prepareConsole()
const tsx = new URL('../node_modules/tsx/dist/cli.mjs', import.meta.url).pathname
const child = spawn(
  process.execPath,
  [tsx, 'watch', '--clear-screen=false', 'src/cli.ts', 'serve'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
