import type { TestResult } from 'allure-js-commons'
import AllureVitestReporter from 'allure-vitest/reporter'
import type { Reporter } from 'vitest/node'

/**
 * What allure-vitest takes from the environment: not to write files, which tests to leave out. A run is narrowed by its
 * plan alone.
 */
const foreign = ['ALLURE_TEST_MODE', 'ALLURE_TESTPLAN_PATH']

/**
 * allure-vitest, which records each scenario as the test that it is. Verdicts are not known yet, and errors may quote
 * what a target sent: whoever started this run makes reports of the trace and of what is recorded here.
 *
 * @param folder where results go; it exists
 * @param environment of this process, from which what allure-vitest would obey is taken
 */
export function createRecorder(folder: string, environment: NodeJS.ProcessEnv): Reporter {
  for (const name of foreign) delete environment[name]
  const inner = new AllureVitestReporter({
    resultsDir: folder,
    // Matchers reported would put asserted values into reports.
    reportMatchers: false,
    listeners: [{ beforeTestResultWrite: strip }],
  })
  return {
    onInit: (vitest) => inner.onInit(vitest),
    onTestRunEnd: (modules) => {
      try {
        inner.onTestRunEnd(modules)
      } catch {
        // A report that cannot be written is no mistake of a scenario; who makes the reports will miss it and say so.
      }
    },
  }
}

/** Takes out whatever depends on the machine, and the texts of errors. */
function strip(result: TestResult): void {
  Object.assign(result, { fullName: result.name, testCaseId: result.name, historyId: result.name })
  Object.assign(result, { titlePath: [], labels: [], links: [], parameters: [], steps: [], statusDetails: {} })
}
