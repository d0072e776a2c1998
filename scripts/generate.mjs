// `npm run generate`: writes what is made from the code into the repository.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const { describeApi } = await import('../dist/http/describe-api.js')
writeFileSync(join(root, 'openapi.json'), await describeApi())
