import type { Reporter } from 'vitest/node'

/** A reporter that is silent but for mistakes of ours, which it says on standard error, one line each. */
export function createComplainer(): Reporter {
  const complain = (message: string): void => {
    process.stderr.write(`${message.split('\n', 1)[0] ?? ''}\n`)
  }
  return {
    onTestCaseResult: (testCase) => {
      const { state, errors = [] } = testCase.result()
      if (state === 'failed') complain(`${testCase.name}: ${errors[0]?.message ?? 'failed'}`)
    },
    onTestRunEnd: (modules, unhandled) => {
      for (const { message } of [...modules.flatMap((module) => module.errors()), ...unhandled]) complain(message)
    },
  }
}
