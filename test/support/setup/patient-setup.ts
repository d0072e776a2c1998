import { vi } from 'vitest'

const { waitFor } = vi

/** A second, which is the default, is not enough for a machine that has other work to do. */
vi.waitFor = (callback, options = 60_000) => waitFor(callback, options)
