import { defineConfig } from 'vitest/config'
import { HANG_MS, WHOLE_RUN_MS } from './src/testing/hang.ts'
import { LongestFirst } from './src/testing/order/longest-first.ts'

export default defineConfig({
  // Load scripts import k6, which is no package: in tests, a fake of it takes its place.
  resolve: {
    alias: Object.fromEntries(
      ['data', 'execution', 'http', 'metrics', 'timers', 'websockets'].map((name) => [
        `k6/${name}`,
        new URL(`load/testing/k6/${name}.ts`, import.meta.url).pathname,
      ]),
    ),
  },
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'load/**/*.test.ts'],
    globalSetup: ['src/testing/temporary-folder.ts'],
    // Not threads: V8 now and then breaks off in one that holds as many modules as these tests do (vitest#11291), and takes all.
    pool: 'forks',
    isolate: false,
    // Most tests wait for answers: more of them than there are cores keep these busy.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Tests of many targets try so many side by side.
    maxConcurrency: 16,
    // Ends what hangs. No test passes or fails by the speed of the machine.
    testTimeout: 2 * HANG_MS,
    // Some of them drive a whole run for all tests of their file.
    hookTimeout: WHOLE_RUN_MS,
    expect: { poll: { timeout: HANG_MS } },
  },
})
