import type { Results } from '#judge/results'
import type { Entry } from '#trace/entry'
import type { Case, Ending, EndingSetting } from './ending.ts'
import { framesText } from './frames.ts'
import { type AllureFile, type AllureResult, step } from './model.ts'
import { judgedStep, sentStep, type StepSetting } from './steps.ts'
import { partOf } from '#spec/part-of'
import { type FailurePlaces, failureText } from '../failure-text.ts'
import { printable } from '#text/printable'
import type { ToldBreach } from '../story.ts'

export interface ResultSetting extends StepSetting, EndingSetting, FailurePlaces {
  readonly run: Results['run']
  readonly entries: readonly Entry[]
  /** Takes the files that a result refers to. */
  readonly write: (file: AllureFile) => void
}

/**
 * A scenario as a test: how it ended, what was judged and what was sent. Names and ids come of the scenario's id alone,
 * so that history holds from machine to machine.
 */
export function scenarioResult(one: Case, ending: Ending, setting: ResultSetting): AllureResult {
  const { id, story, recorded } = one
  const { status, message, breaches } = ending
  const steps = [judgedStep(story, setting), sentStep(story, setting, setting.write)]
  const requirements = [...new Set([...one.proves, ...story.claims.map(({ requirement }) => requirement)])].toSorted()
  return {
    ...step({
      name: id,
      status,
      statusDetails: { ...(message === '' ? {} : { message }), ...traceOf(breaches, setting) },
      steps: steps.filter((part) => part !== undefined),
      attachments: framesAttachment(one, setting),
      ...timesOf(one, setting),
    }),
    ...identityOf(id),
    uuid: recorded?.uuid ?? `${setting.run.id}-${id}`,
    description: descriptionOf(requirements, setting),
    labels: labelsOf(id, requirements, setting),
    links: [],
  }
}

/** What Allure knows a test by, over runs, machines and folders. */
export function identityOf(id: string): Pick<AllureResult, 'fullName' | 'titlePath' | 'testCaseId' | 'historyId'> {
  return { fullName: id, titlePath: [partOf(id)], testCaseId: id, historyId: id }
}

const failuresShown = 20

function traceOf(breaches: readonly ToldBreach[], setting: ResultSetting): { readonly trace?: string } {
  if (breaches.length === 0) return {}
  const shown = breaches.slice(0, failuresShown).map(({ requirement, expected, got, lines }) => {
    const evidence = [...new Set(lines)]
    const isFirst = setting.rows.get(requirement)?.failures?.[0]?.evidence.join() === evidence.join()
    return `${printable(requirement)}\n${failureText({ expected, got, evidence }, setting, isFirst ? requirement : undefined)}`
  })
  return { trace: shown.join('\n\n') }
}

function framesAttachment(
  { id, story }: Case,
  { entries, fileName, write }: ResultSetting,
): AllureResult['attachments'] {
  const content = framesText(story, entries)
  if (content === '') return []
  const source = fileName(id, 'ndjson')
  write({ name: source, content })
  return [{ name: 'frames of the control channel', source, type: 'text/plain' }]
}

/** Vitest's own times say how long a test waited for its turn. */
function timesOf(
  { story }: Case,
  { entries, epoch }: ResultSetting,
): { readonly start: number; readonly stop: number } {
  const start = entries[(story.record?.start ?? 1) - 1]?.t ?? 0
  const end = story.record?.end?.entry.t ?? start
  return { start: Math.round(epoch + start), stop: Math.round(epoch + end) }
}

function descriptionOf(requirements: readonly string[], { rows, text }: ResultSetting): string {
  const lines = requirements.flatMap((id) => {
    const row = rows.get(id)
    if (row === undefined) return []
    return [`- \`${id}\` (${row.level.toUpperCase()} §${row.section}) **${row.verdict}**: ${text(id) ?? ''}`]
  })
  return lines.join('\n')
}

const severities = { must: 'critical', should: 'normal', may: 'minor' } as const

function labelsOf(id: string, requirements: readonly string[], { rows }: ResultSetting): AllureResult['labels'] {
  const judged = requirements.flatMap((one) => rows.get(one) ?? [])
  const sections = [...new Set(judged.map(({ section }) => section))].toSorted()
  const level = (['must', 'should', 'may'] as const).find((one) => judged.some((row) => row.level === one))
  const label = (name: string) => (value: string) => ({ name, value })
  return [
    label('framework')('vitest'),
    label('language')('javascript'),
    label('epic')(partOf(id)),
    label('suite')(partOf(id)),
    label('severity')(severities[level ?? 'may']),
    ...sections.map((section) => label('feature')(/^\d/.test(section) ? `§${section}` : section)),
    ...sections.map(label('section')),
    ...requirements.map(label('requirement')),
  ]
}
