import { registerHooks } from 'node:module'
import { loadScenarios } from '../plan/catalogue.ts'
import { suitesVariable } from '../run/run-part.ts'
import '../run/run-join.ts'

// Loaded by the thread of the scenarios before vitest, which is asked about each file that is loaded after it. A part that
// does not load says so when it is loaded again.
await loadScenarios(process.env[suitesVariable]).catch(() => {})

/** How vitest marks the file of the tests, anew each time: under such a name, nothing that was compiled is found again. */
const mark = '?vitest='

registerHooks({
  load: (url, context, next) => next(url.includes(mark) ? url.slice(0, url.indexOf(mark)) : url, context),
})
