import type { RequirementResult, Verdict } from '#judge/results'
import type { Attempt, ExchangeRecord } from '#judge/trace-index'
import { at } from '#trace/json'
import { type AllureAttachment, type AllureFile, type AllureStatus, type AllureStep, step } from './model.ts'
import { httpExchange, httpType } from './http.ts'
import { printable } from '#text/printable'
import type { Story } from '../story.ts'

/** What a breach of a row with this verdict means for the scenario in which it came. */
export const weights: { readonly [verdict in Verdict]: 'fails' | 'told' | 'silent' } = {
  fail: 'fails',
  warn: 'told',
  waived: 'told',
  pass: 'silent',
  inconclusive: 'silent',
  not_applicable: 'silent',
}

export interface StepSetting {
  readonly rows: ReadonlyMap<string, RequirementResult>
  readonly baseUrl: string
  /** Milliseconds since 1970 at which the trace's clock began. */
  readonly epoch: number
  /** Name of a file beside the results, one for each mark. */
  readonly fileName: (mark: string, extension: string) => string
}

/** A step a claim, and one for whatever a rule found, under one step that sums them up. */
export function judgedStep(story: Story, { rows }: StepSetting): AllureStep | undefined {
  const claims = story.claims.map(({ requirement, outcome }) => {
    if (outcome.state === 'broken') return brokenStep(requirement, outcome, rows)
    if (outcome.state === 'held') return step({ name: `${printable(requirement)}: held`, status: 'passed' })
    const message = printable(`${outcome.code}: ${outcome.why}`)
    return step({ name: `${printable(requirement)}: not judged`, status: 'skipped', statusDetails: { message } })
  })
  const steps = [...claims, ...story.breaches.map((breach) => brokenStep(breach.requirement, breach, rows))]
  if (steps.length === 0) return undefined
  const count = (status: AllureStatus): number => steps.filter((one) => one.status === status).length
  const [held, broken, open] = [count('passed'), count('failed'), count('skipped')]
  const status = broken > 0 ? 'failed' : held > 0 ? 'passed' : 'skipped'
  return step({ name: `Judged: ${held} held, ${broken} broken, ${open} not judged`, status, steps })
}

function brokenStep(
  requirement: string,
  { expected, got }: { readonly expected: string; readonly got: string },
  rows: StepSetting['rows'],
): AllureStep {
  const verdict = rows.get(requirement)?.verdict
  const counts = verdict !== undefined && weights[verdict] !== 'silent'
  const name = `${printable(requirement)}: broken${counts ? ` (${verdict})` : ', not counted'}`
  const message = `expected ${printable(expected)}, got ${printable(got)}`
  return step({ name, status: counts ? 'failed' : 'skipped', statusDetails: { message } })
}

/** A step an attempt of each exchange, with the HTTP that went over the wire. Each file is handed to `write`. */
export function sentStep(
  story: Story,
  setting: StepSetting,
  write: (file: AllureFile) => void,
): AllureStep | undefined {
  const steps = story.exchanges.flatMap((exchange) =>
    exchange.attempts.map((attempt) => attemptStep(exchange, attempt, setting, write)),
  )
  if (steps.length === 0) return undefined
  return step({ name: `Sent: ${steps.length} requests`, status: 'passed', steps })
}

function attemptStep(
  { key }: ExchangeRecord,
  attempt: Attempt,
  setting: StepSetting,
  write: (file: AllureFile) => void,
): AllureStep {
  const { request, response, failure } = attempt
  const asked = printable(`${request.entry.method} ${request.entry.path}`, 200)
  const code = at(response?.entry.body, '/code')
  const answer = response === undefined ? (failure?.entry.reason ?? 'no answer') : `HTTP ${response.entry.status}`
  const name = `${asked} (key ${printable(key)}): ${answer}${typeof code === 'number' ? `, code ${code}` : ''}`
  const source = setting.fileName(`line${request.line}`, 'httpexchange')
  write({ name: source, content: httpExchange(attempt, setting.baseUrl, setting.epoch) })
  const attachment: AllureAttachment = { name: asked, source, type: httpType }
  const end = response?.entry.t ?? failure?.entry.t ?? request.entry.t
  return step({
    name,
    status: response === undefined ? 'skipped' : 'passed',
    attachments: [attachment],
    start: Math.round(setting.epoch + request.entry.t),
    stop: Math.round(setting.epoch + end),
  })
}
