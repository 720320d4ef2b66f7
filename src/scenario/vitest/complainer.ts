import type { Reporter } from 'vitest/node'
import { createRedactor } from '#trace/redact'
import { readPart } from '../run/run-part.ts'
import type { Environment } from '../run/run-secrets.ts'
import { knownSecrets, readSecrets } from '../run/run-secrets.ts'

/** A reporter that is silent but for mistakes of ours, which it says on standard error, one line each. */
export function createComplainer(environment: Environment): Reporter {
  const { profile, salt } = readPart(environment).plan
  const redactor = createRedactor(knownSecrets(readSecrets(profile, environment)), salt)
  const complain = (message: string): void => {
    process.stderr.write(`${redactor.text(message.split('\n', 1)[0] ?? '')}\n`)
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
