import { loadCodes } from '#spec/code-groups'
import { answerTo } from '#judge/answers'
import type { Answer } from '#judge/answer'
import { type Call, callOf } from '#judge/calls'
import { createsAvatarSession } from '#judge/operations'
import { isLetIn } from '#judge/conditions/admission'
import type { Attempt, ChannelRecord, ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { isMishap } from '#spec/tables'
import { at, textsIn } from '#trace/json'
import { entriesIn } from '../life/entries.ts'
import { longest, speaksOfPages } from '../life/list.rules.ts'
import { statusIn, wordsIn } from '../life/lives.ts'
import { sessionIn } from '#judge/sessions/session-in'
import { sureLife_ms } from '#judge/timing/sure-life'
import type { StimulusOutcome, Status, Stimulus } from './model.ts'
import type { Seen } from './explain.ts'

/** One attempt or connection of a property, as the model sees it. */
export interface Deed extends Omit<Seen, 'stimulus'> {
  readonly stimulus: Stimulus
  /** Name of the idempotency key with that of the API key, of a create. */
  readonly key?: string | undefined
  /** Strings in the data of a list, those that stand for open sessions, and whether all open ones must stand in it. */
  readonly page?: {
    readonly shown: ReadonlySet<string>
    readonly open: ReadonlySet<string>
    readonly whole: boolean
  }
  /** For so long what a create made is sure to last since it was sent, as far as the create tells. */
  readonly lasts_ms?: number | undefined
  /** A status that is none of the four. */
  readonly odd?: string | undefined
}

/** Everything that scenarios of these ids did about avatar sessions, in the order of doing. */
export function deedsOf(trace: TraceIndex, scenarios: readonly string[]): readonly Deed[] {
  const isOurs = ({ scenario }: { readonly scenario: string | undefined }) =>
    scenario !== undefined && scenarios.includes(scenario)
  const calls = [...trace.exchanges.values()].filter(isOurs)
  const channels = [...trace.channels.values()].filter(isOurs)
  const hidden = hiddenIds(calls)
  const isHidden = (id: string | undefined): boolean => id !== undefined && hidden.has(id)
  const deeds = [
    ...calls
      .filter(({ attempts: [first] }) => !isHidden(sessionIn(first?.request.entry.path ?? '')))
      .flatMap((record) => record.attempts.flatMap((attempt) => deedOf(trace, record, attempt) ?? [])),
    ...channels.flatMap((channel) => connection(trace, channel)),
  ]
  return deeds.toSorted((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0))
}

/** Texts in answers to creates that name no session where it is to be named: cleaning up goes by them all the same. */
function hiddenIds(calls: readonly ExchangeRecord[]): ReadonlySet<string> {
  const creates = calls.filter(({ operation }) => createsAvatarSession(operation))
  const attempts = creates.flatMap((record) => record.attempts)
  const nameless = attempts.filter((attempt) => {
    const answer = answerTo(attempt)
    return answer.kind !== 'success' || typeof at(answer.data, '/session_id') !== 'string'
  })
  return new Set(nameless.flatMap(({ response }) => textsIn(response?.entry.body)))
}

function deedOf(trace: TraceIndex, record: ExchangeRecord, attempt: Attempt): Deed | undefined {
  const { request, response, failure } = attempt
  const end = response ?? failure
  const lines = [request.line, ...(end === undefined ? [] : [end.line])]
  const common = { lines, since: request.entry.t, t: end?.entry.t ?? request.entry.t }
  const answer = answerTo(attempt)
  const id = sessionIn(request.entry.path)
  switch (record.operation) {
    case 'create-avatar-session':
      return { ...common, ...creation(trace, callOf(record, attempt)) }
    // What its keys do is a matter of characters: here each start makes a session of its own.
    case 'create-session-from-character':
      return { ...common, ...creation(trace, callOf(record, attempt)), key: undefined }
    case 'list-avatar-sessions':
      return { ...common, ...listing(trace, callOf(record, attempt)) }
    case 'get-avatar-session':
      return id === undefined ? undefined : { ...common, ...reading(id, answer) }
    case 'close-avatar-session':
      return id === undefined ? undefined : { ...common, stimulus: { act: 'close', id }, outcome: closedBy(answer) }
    default:
      return undefined
  }
}

function creation(trace: TraceIndex, call: Call) {
  const { answer, asked, data } = call
  const id = at(data, '/session_id')
  const made: StimulusOutcome | undefined =
    typeof id === 'string' && id !== '' ? { is: 'made', id, status: knownStatus(answer, id) } : undefined
  const outcome: StimulusOutcome = made ?? (kindOf(answer) === 'lost' ? { is: 'lost' } : { is: 'refused' })
  const name = at(asked, '/idempotency_key')
  const key = typeof name === 'string' ? `${call.key} ${name}` : undefined
  // How long it lasts is told by the answer to a repeated create where this one has none.
  const told = data !== undefined || asked['max_duration_seconds'] !== undefined
  const lasts_ms = told ? sureLife_ms(trace, call) : undefined
  return { stimulus: { act: 'create' } as const, outcome, key, lasts_ms, trouble: troubleOf(answer) }
}

function troubleOf(answer: Answer): Seen['trouble'] {
  if (answer.kind === 'success') return undefined
  if ('status' in answer && answer.status === 429) return 'throttled'
  if (kindOf(answer) !== 'lost') return undefined
  return answer.kind === 'transport-failure' && answer.why !== 'proxy' ? 'silence' : 'fault'
}

function listing(trace: TraceIndex, call: Call): Pick<Deed, 'stimulus' | 'outcome' | 'page'> {
  const stimulus = { act: 'list' } as const
  const { answer } = call
  if (answer.kind !== 'success') {
    return { stimulus, outcome: { is: kindOf(answer) === 'refused' ? 'refused' : 'nothing' } }
  }
  const { data } = answer
  const whole = !speaksOfPages(data) && longest(data) < 10
  const page = { shown: wordsIn(call), open: entriesIn(trace, call), whole }
  return { stimulus, outcome: { is: 'listed', shown: [], missing: [] }, page }
}

function reading(id: string, answer: Answer): Pick<Deed, 'stimulus' | 'outcome' | 'odd'> {
  const stimulus = { act: 'get', id } as const
  if (answer.kind !== 'success') {
    return { stimulus, outcome: { is: kindOf(answer) === 'refused' ? 'refused' : 'nothing' } }
  }
  const status = knownStatus(answer, id)
  const said = at(answer.data, '/session_id') === id ? at(answer.data, '/status') : undefined
  const odd = typeof said === 'string' && status === undefined ? said : undefined
  return { stimulus, outcome: { is: 'shown', status }, odd }
}

function closedBy(answer: Answer): StimulusOutcome {
  return answer.kind === 'success' ? { is: 'accepted' } : { is: kindOf(answer) }
}

const knownStatus = (answer: Answer, id: string) => statusIn(answer, id) as Status | undefined

/** `lost`: a fault inside the service or on the way, which may have acted or not. */
function kindOf(answer: Answer): 'refused' | 'lost' | 'nothing' {
  if (answer.kind !== 'failure') return 'lost'
  if (answer.status === 429 || loadCodes.includes(answer.code)) return 'nothing'
  return isMishap(answer) ? 'lost' : 'refused'
}

/** A connection that was let in and kept, or that answered: the session is not closed. */
function connection(trace: TraceIndex, channel: ChannelRecord): readonly Deed[] {
  if (!isLetIn(trace, channel)) return []
  const { session, open, frames, closed } = channel
  const last = frames.findLast(({ direction }) => direction === 'received')
  const end = { line: last?.line ?? closed?.line ?? open.line, t: last?.t ?? closed?.entry.t ?? open.entry.t }
  const stimulus = { act: 'connect', id: session } as const
  return [{ stimulus, outcome: { is: 'admitted' }, lines: [...new Set([open.line, end.line])], t: end.t }]
}
