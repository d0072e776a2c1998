import fc from 'fast-check'

// The same cases in every run, so that a failure is reproducible; FC_SEED selects others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_115) })
