import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'load/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Most tests wait for answers: more of them than there are cores keep these busy.
    maxWorkers: 3,
    // Tests of many targets try so many side by side.
    maxConcurrency: 16,
    // Ends what hangs. No test passes or fails by the speed of the machine.
    testTimeout: 120_000,
  },
})
