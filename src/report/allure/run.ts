import type { Results } from '#judge/results'
import { type AllureResult, step } from './model.ts'
import { identityOf, type ResultSetting } from './result.ts'
import { judgedStep, sentStep } from './steps.ts'
import { conclude, type ConclusionOptions } from '../conclusion.ts'
import { printable } from '#text/printable'
import { runErrors } from '../run-errors.ts'
import type { Story } from '../story.ts'

/**
 * What no scenario shows: a run that could not be judged, an expected failure that did not come, a requirement that broke
 * in the preflight or the cleanup. Without it all tests could be green though the run was not.
 *
 * @param told requirements that a failed scenario names
 * @returns undefined where the scenarios say all
 */
export function runResult(
  results: Results,
  story: Story,
  told: ReadonlySet<string>,
  setting: ResultSetting,
  options: ConclusionOptions,
): AllureResult | undefined {
  const unseen = results.requirements.filter(({ id, verdict }) => verdict === 'fail' && !told.has(id))
  const errors = runErrors(results, options)
  if (unseen.length + errors.length === 0) return undefined
  const failures = unseen.map(({ id, reason }) => `${id}: ${reason}`)
  const message = [...errors, ...failures].map((line) => printable(line)).join('\n')
  const steps = [judgedStep(story, setting), sentStep(story, setting, setting.write)]
  const failed = conclude(results, options).exit === 1
  return {
    ...step({
      name: 'run',
      status: failed ? 'failed' : 'broken',
      statusDetails: { message },
      steps: steps.filter((one) => one !== undefined),
      start: setting.epoch,
      stop: setting.epoch + results.run.duration_ms,
    }),
    ...identityOf('run'),
    uuid: `${results.run.id}-run`,
    description: 'What is wrong with the run itself, beside what its scenarios show.',
    labels: [
      { name: 'framework', value: 'vitest' },
      { name: 'language', value: 'javascript' },
      { name: 'epic', value: 'run' },
      { name: 'suite', value: 'run' },
      { name: 'severity', value: 'critical' },
    ],
    links: [],
  }
}
