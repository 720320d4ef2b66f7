import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'load/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Most tests wait for answers: more of them than there are cores keep these busy.
    maxWorkers: 3,
    testTimeout: 20_000,
  },
})
