// `npm pack` and `npm run client`: builds what a package contains, the service or the client.
import { prepare, prepareClient } from '../prepare.mjs'

if (process.argv[2] === 'client') prepareClient()
else prepare()
