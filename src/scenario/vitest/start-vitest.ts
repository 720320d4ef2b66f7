import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CliOptions } from 'vitest/node'
import { startVitest } from 'vitest/node'
import { ownFile, packageRoot } from '#spec/package-root'
import { allureVariable } from '../run/run-part.ts'
import { createComplainer } from './complainer.ts'

// Entry of the child process that runs the scenarios of a run as vitest tests. It writes entries of scenarios and nothing
// else; whoever started it writes the rest of the trace, and cleans up by the journal however this process ends.
/** Each thread has to be told anew where our own files are. */
const ownImports = pathToFileURL(join(packageRoot(), 'src', 'own-imports.js')).href
const preload = ownFile('preload', import.meta.url).href
const file = fileURLToPath(ownFile('conformance.run', import.meta.url))

// Whoever started us is gone: nobody would stop us any more.
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

// A terminal sends these to every process of its group: whoever started us says when to end, and how soon.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

const allure = process.env[allureVariable]
const reporters = [createComplainer()]
if (allure !== undefined) {
  const { createRecorder } = await import('./recorder.ts')
  reporters.push(createRecorder(allure, process.env))
}

const options: CliOptions = {
  root: dirname(file),
  config: false,
  include: [basename(file)],
  // By default, nothing under node_modules is a test.
  exclude: [],
  watch: false,
  run: true,
  pool: 'threads',
  maxWorkers: 1,
  execArgv: ['--import', ownImports, '--import', preload],
  isolate: false,
  fileParallelism: false,
  // All tests wait for the executor, side by side.
  maxConcurrency: Number.MAX_SAFE_INTEGER,
  testTimeout: 0,
  hookTimeout: 0,
  teardownTimeout: 5_000,
  retry: 0,
  passWithNoTests: false,
  reporters,
  cache: false,
  // Node itself loads the scenarios: it keeps what it compiled, whereas vitest would transform some six hundred files each time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
}
const vitest = await startVitest([], options)
await vitest.close()
