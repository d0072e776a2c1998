import './book-acquirer.ts'
import { readConfig } from '../../../src/config.ts'
import { newLog } from '../../../src/log.ts'
import { openService } from '../../../src/open-service.ts'
import { runAllDue } from '../../../src/worker/worker.ts'

// A worker in a process of its own, with the connector of the tests: it does what is due, once, or dies on the way.
const { service, close } = await openService(readConfig(process.env), {
  own: false,
  log: newLog('silent'),
})
await runAllDue(service)
await close()
