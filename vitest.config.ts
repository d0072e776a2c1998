import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/database-setup.ts'],
    setupFiles: ['test/fast-check-setup.ts', 'test/patient-setup.ts'],
    pool: 'forks',
    // Files run one after the other in a process: loading every module anew took a third of the run.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, which is what it would be, is not enough for a machine that has other work to do.
    expect: { poll: { timeout: 30_000 } },
  },
})
