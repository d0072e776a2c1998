// `npm run generate`: writes what is made from the code into the repository. `npm run generate -- examples`
// also records the examples again, which takes a database, and `-- pictures` those of README.md, with a browser.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { prepareBrowser } from './programs/browser.mjs'

const with_examples = process.argv.includes('examples')
const with_pictures = process.argv.includes('pictures')
prepare({ build: with_examples || with_pictures })
if (with_examples) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const wanted = ['run', 'test/contract/description/examples', '--update', '--maxWorkers=1']
  execFileSync(process.execPath, [vitest, ...wanted], { cwd: root, stdio: 'inherit' })
}
if (with_pictures) {
  prepareBrowser()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, PICTURES: 'write' }
  const options = { cwd: root, stdio: 'inherit', env }
  execFileSync(process.execPath, [vitest, 'run', 'test/browser/console/console-demo-shop'], options)
}
const { register } = await import('tsx/esm/api')
register()
const { describeApi } = await import('../src/http/describe-api.ts')
const described = await describeApi()
writeFileSync(join(root, 'openapi.json'), described.api)
writeFileSync(join(root, 'console-openapi.json'), described.console)
const { describeAcquirerApi } = await import('../src/connectors/http/api/describe-acquirer-api.ts')
writeFileSync(join(root, 'docs/acquirer-api/openapi.json'), describeAcquirerApi())
const { describeErrors } = await import('../src/http/description/describe-errors.ts')
writeFileSync(join(root, 'docs/errors.md'), describeErrors())
const { describeClient, describeConsole } = await import('./build-steps/describe-client.ts')
const [api, of_console] = [JSON.parse(described.api), JSON.parse(described.console)]
const generated = {
  'client/src/generated': describeClient(api),
  'web/console/api/generated': describeConsole(of_console, api),
}
for (const [folder, files] of Object.entries(generated)) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, folder, name), text)
}
const { commandsTable } = await import('../src/commands/help.ts')
const commands_file = join(root, 'docs/commands.md')
const command_rows = /^\| Command \|.*\n(\|.*\n)+/m
const commands = readFileSync(commands_file, 'utf8')
writeFileSync(
  commands_file,
  commands.replace(command_rows, () => `${commandsTable()}\n`),
)
