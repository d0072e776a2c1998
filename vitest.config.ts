import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const takes_long =
  /test\/(crash|startup|documents|examples|browser|property|fuzz|releases|databases)\//

/** What takes long begins first: at the end every worker still has something to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const is_long = ({ moduleId }: TestSpecification) => takes_long.test(moduleId)
    return [...sorted.filter(is_long), ...sorted.filter((file) => !is_long(file))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/setup/database-setup.ts'],
    setupFiles: ['test/support/setup/fast-check-setup.ts', 'test/support/setup/patient-setup.ts'],
    pool: 'forks',
    // Files run one after the other in a process: loading every module anew took a third of the run.
    isolate: false,
    // Two for each of two processors: many tests wait for a process, a page or the database.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // Enough for a machine that has much other work to do: only what hangs takes so long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
