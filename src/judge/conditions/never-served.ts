import { workspaceOf } from '#spec/profile'
import { type ClientEventType, clientEvents, isClientEventType } from '#spec/tables'
import { at, isObject, textAt } from '#trace/json'
import { answerOf, createdSession } from '../answers.ts'
import { isNoAccident } from '../chance/chance.ts'
import { readOnce } from '../read-once.ts'
import { sessionEnd } from '../sessions/session-end.ts'
import type { FrameRecord, TraceIndex } from '../trace-index.ts'
import { failedOver, ownFailure } from './own-failure.ts'
import { isToFail } from './to-fail.ts'

/** So often any service may fail over events of one type by accident, and over nothing else of it. */
const mostAccidents = 2

/** A service that was down is not up again by chance so soon after the last failure, in milliseconds. */
const soon_ms = 1_000

/** No moment any more, whatever the service still answers meanwhile, in milliseconds. */
const outage_ms = 30_000

/** What models, fetches or renders may fail by itself for a while, though the same session is served with all else. */
const leansOnOthers: ReadonlySet<ClientEventType> = new Set(['response.create', 'asset.add', 'avatar.add'])

/** What changes nothing may be answered where nothing can be written. */
const changesNothing: ClientEventType = 'conversation.item.retrieve'

/** An event of ours over which the service failed, and the `error` that tells so. */
interface Failure {
  readonly asked: FrameRecord
  readonly told: FrameRecord
}

/** The events of one type in one session, and what became of them. */
interface Kind {
  readonly session: string
  readonly type: ClientEventType
  readonly failures: readonly Failure[]
  /** What tells of one that was served. */
  readonly served: readonly FrameRecord[]
}

/**
 * Whether the service failed by itself over each event of this type in the session, more often than by accident, while it served
 * others, and did so again in another session: as of a request (`accidents.ts`), what fails each time is what the target does.
 */
export function isNeverServed(trace: TraceIndex, failure: FrameRecord): boolean {
  return neverServed(trace).has(failure)
}

/** The `error` events that tell of what is never served. */
const neverServed = readOnce((trace: TraceIndex): ReadonlySet<FrameRecord> => {
  const kinds = kindsIn(trace)
  const found = kinds.filter((kind) => isProven(trace, kind, kinds))
  return new Set(found.flatMap(({ failures }) => failures.map(({ told }) => told)))
})

function isProven(trace: TraceIndex, kind: Kind, kinds: readonly Kind[]): boolean {
  const { failures, served, type } = kind
  const times = countAnew(failures)
  if (served.length > 0 || times <= mostAccidents) return false
  if (!isNoAccident(times, rateOf(type, kinds)) || !servesOthers(trace, kind, kinds)) return false
  return kinds.some((other) => isRepetition(trace, kind, other))
}

/**
 * Whether another session that was made in the same way had the same fate at another time. What fails in quick succession may all
 * have met the same moment of a step that was away.
 */
function isRepetition(trace: TraceIndex, one: Kind, other: Kind): boolean {
  if (other.type !== one.type || other.failures.length === 0 || other.served.length > 0) return false
  const [own, its] = [placeOf(trace, one.session), placeOf(trace, other.session)]
  if (own === undefined || its === undefined) return false
  if (own.workspace !== its.workspace || own.made_by !== its.made_by || own.mode !== its.mode) return false
  return other.session !== one.session && (isBefore(one, other) || isBefore(other, one))
}

const isBefore = (one: Kind, other: Kind): boolean =>
  Math.max(...one.failures.map(({ told }) => told.t)) < Math.min(...other.failures.map(({ asked }) => asked.t))

/** What is sent again in the same words right away is one thing that fails. */
function countAnew(failures: readonly Failure[]): number {
  const words = failures.map(({ asked: { data } }) => {
    const { event_id: _id, ...said } = isObject(data) ? data : {}
    return JSON.stringify(said)
  })
  return words.filter((one, place) => one !== words[place - 1]).length
}

/** How often the service fails over an event by accident: in sessions that were served with the like. */
function rateOf(type: ClientEventType, kinds: readonly Kind[]): number {
  const mixed = kinds.filter(({ served }) => served.length > 0)
  const share = (some: readonly Kind[]): number => {
    const [failed, served] = [some.flatMap(({ failures }) => failures).length, some.flatMap((one) => one.served).length]
    return failed === 0 ? 0 : failed / (failed + served)
  }
  return Math.max(share(mixed), share(mixed.filter((one) => one.type === type)))
}

/** Whether the like was served in another session of the workspace meanwhile, or something else in this one that is no easier. */
function servesOthers(trace: TraceIndex, { session, type, failures }: Kind, kinds: readonly Kind[]): boolean {
  const from = Math.min(...failures.map(({ asked }) => asked.t))
  const to = Math.max(...failures.map(({ told }) => told.t)) + soon_ms
  const here = placeOf(trace, session)
  const isEasy = here?.mode === 'text_chat' && !leansOnOthers.has(type)
  return kinds.some((one) => {
    if (!one.served.some(({ t }) => t >= from && t <= to)) return false
    if (one.session === session) return one.type !== changesNothing && (isEasy || to - from >= outage_ms)
    return one.type === type && here !== undefined && placeOf(trace, one.session)?.workspace === here.workspace
  })
}

/** Where a session lives, how it was made, and in which mode. */
interface SessionPlace {
  readonly workspace: string
  readonly made_by: string | null
  readonly mode: string | undefined
}

const placeOf = (trace: TraceIndex, session: string): SessionPlace | undefined => places(trace).get(session)

const places = readOnce((trace: TraceIndex): ReadonlyMap<string, SessionPlace> => {
  const found = new Map<string, SessionPlace>()
  for (const record of trace.exchanges.values()) {
    const id = createdSession(record)
    const answer = answerOf(record)
    if (id === undefined || answer.kind !== 'success') continue
    found.set(id, {
      workspace: workspaceOf(record.key),
      made_by: record.operation,
      mode: textAt(answer.data, '/session/mode'),
    })
  }
  return found
})

const kindsIn = readOnce((trace: TraceIndex): readonly Kind[] => {
  const bySession = Map.groupBy(trace.channels.values(), ({ session }) => session)
  return [...bySession].flatMap(([session, channels]) => {
    const end = sessionEnd(trace, session)?.line ?? Number.POSITIVE_INFINITY
    const frames = channels.flatMap((channel) => channel.frames).filter(({ line }) => line < end)
    const sent = frames.filter(({ direction }) => direction === 'sent')
    const received = frames.filter(({ direction }) => direction === 'received')
    const failures = failuresIn(trace, sent, received)
    const types = new Set(sent.map(({ type }) => type).filter(isClientEventType))
    return [...types].map((type): Kind => {
      const own = sent.filter((frame) => frame.type === type)
      const served = received.filter((frame) => tellsOfOne(frame, type, own))
      return { session, type, served, failures: failures.filter(({ asked }) => asked.type === type) }
    })
  })
})

/** Failures over events that were to be served, each of which has an id of its own. */
function failuresIn(
  trace: TraceIndex,
  sent: readonly FrameRecord[],
  received: readonly FrameRecord[],
): readonly Failure[] {
  const told = received.filter(({ data }) => ownFailure(data) === 'failure')
  if (told.length === 0) return []
  const byId = Map.groupBy(sent, ({ data }) => at(data, '/event_id'))
  return told.flatMap((failure): readonly Failure[] => {
    const [asked, ...namesakes] = byId.get(at(failure.data, '/error/event_id')) ?? []
    if (asked === undefined || namesakes.length > 0) return []
    const id = at(asked.data, '/event_id')
    return failedOver(failure.data, id) && !isToFail(trace, id) ? [{ asked, told: failure }] : []
  })
}

/** Whether it tells that one of these was served: items and responses come of others, too. */
function tellsOfOne({ type, data }: FrameRecord, asked: ClientEventType, own: readonly FrameRecord[]): boolean {
  if (!clientEvents[asked].confirmed_by.some((one) => one === type)) return false
  if (asked !== 'conversation.item.create') return true
  const id = at(data, '/item/id')
  return at(data, '/item/role') !== 'assistant' || own.some((frame) => at(frame.data, '/item/id') === id)
}
