// `npm pack`: the package contains the built program.
import { prepare } from './prepare.mjs'

prepare()
