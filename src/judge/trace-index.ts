import {
  type ChannelClosedEntry,
  type ChannelOpenEntry,
  type ChannelRefusedEntry,
  type ClaimEntry,
  type CleanupEntry,
  type EndEntry,
  type Entry,
  type FailureEntry,
  type FrameReceivedEntry,
  type FrameSentEntry,
  type HaltEntry,
  type HarnessErrorEntry,
  type HeaderEntry,
  type RequestEntry,
  type ResponseEntry,
  type ScenarioEndEntry,
  type Walked,
  scenarioOf,
} from '#trace/entry'
import { clientEvents, idsOf, serverEvents } from '#spec/tables'
import { isObject, type Json, type JsonObject, own } from '#trace/json'
import type { Answer } from './answer.ts'

/** An entry with its position in the trace (line number, from 1). */
export interface Placed<E extends Entry> {
  readonly line: number
  readonly entry: E
}

export interface Attempt {
  readonly request: Placed<RequestEntry>
  response?: Placed<ResponseEntry>
  failure?: Placed<FailureEntry>
  /** What it came to, once `answerTo` was asked: dozens of rules ask. */
  answer?: Answer
}

/** One logical REST call with all its attempts. */
export interface ExchangeRecord {
  readonly exchange: number
  readonly operation: string | null
  readonly key: string
  readonly scenario: string | undefined
  readonly attempts: Attempt[]
}

export interface FrameRecord {
  readonly frame: number
  readonly line: number
  readonly t: number
  readonly channel: number
  readonly scenario: string | undefined
  readonly direction: 'sent' | 'received'
  readonly data: Json | undefined
  /** What stands under `type` in it. */
  readonly type: Json | undefined
  readonly text: string | undefined
  readonly problem: FrameReceivedEntry['problem']
}

/** One try to open a channel that was refused and made again under the same number. */
export interface RefusedTry {
  readonly open: Placed<ChannelOpenEntry>
  readonly refused: Placed<ChannelRefusedEntry>
}

export interface ChannelRecord {
  readonly channel: number
  readonly session: string
  readonly scenario: string | undefined
  /** The last try. */
  readonly open: Placed<ChannelOpenEntry>
  /** Those before it. */
  readonly earlier: readonly RefusedTry[]
  opened?: { readonly line: number; readonly t: number }
  refused?: Placed<ChannelRefusedEntry>
  closed?: Placed<ChannelClosedEntry>
  /** Sent and received, in order. */
  readonly frames: FrameRecord[]
}

export interface ScenarioRecord {
  readonly scenario: string
  readonly start: number
  end?: Placed<ScenarioEndEntry>
}

/** A trace, read once, for rules and claims to look things up in. */
export interface TraceIndex {
  readonly header: HeaderEntry | undefined
  readonly entries: readonly Entry[]
  /**
   * What is judged: after an interrupt cleanup asks in the place of scenarios that were cut short, and that is no answer to
   * what they were about to ask.
   */
  readonly exchanges: ReadonlyMap<number, ExchangeRecord>
  /** Everything that was asked. */
  readonly asked: ReadonlyMap<number, ExchangeRecord>
  readonly channels: ReadonlyMap<number, ChannelRecord>
  readonly frames: ReadonlyMap<number, FrameRecord>
  readonly marks: ReadonlyMap<number, { readonly line: number; readonly t: number }>
  /** Times in which Greenroom itself stood still, in order. */
  readonly halts: readonly HaltEntry[]
  readonly claims: readonly Placed<ClaimEntry>[]
  readonly scenarios: ReadonlyMap<string, ScenarioRecord>
  readonly end: EndEntry | undefined
  readonly harnessErrors: readonly Placed<HarnessErrorEntry>[]
  readonly cleanups: readonly CleanupEntry[]
  /** What walks told of what they had gone through, in order. */
  readonly walked: readonly Walked[]
  /** Time of the last entry. */
  readonly lastT: number
  /**
   * Up to here channels were watched: the last entry of a scenario. Whoever ends a run that was cut short writes on, but
   * hears nothing any more, so what it writes is no silence of the target.
   */
  readonly watched: { readonly line: number; readonly t: number }
  /**
   * Milliseconds of the run from which on every request is here: 0, but for a window of a long recording. What was never
   * seen before may have been seen earlier.
   */
  readonly since: number
}

interface Building {
  header: HeaderEntry | undefined
  end: EndEntry | undefined
  exchanges: Map<number, ExchangeRecord>
  channels: Map<number, ChannelRecord>
  frames: Map<number, FrameRecord>
  marks: Map<number, { line: number; t: number }>
  halts: HaltEntry[]
  claims: Placed<ClaimEntry>[]
  scenarios: Map<string, ScenarioRecord>
  harnessErrors: Placed<HarnessErrorEntry>[]
  cleanups: CleanupEntry[]
  walked: Walked[]
}

/** What a window of a long trace adds to its entries. */
export interface WindowPlace {
  /** Where each entry stands in the whole trace, from 1. */
  readonly lines: readonly number[]
  readonly since: number
}

/** Reads the entries once, in order. @param place where they are a part of a longer trace only */
export function indexTrace(entries: readonly Entry[], place?: WindowPlace): TraceIndex {
  const building: Building = {
    header: undefined,
    end: undefined,
    exchanges: new Map(),
    channels: new Map(),
    frames: new Map(),
    marks: new Map(),
    halts: [],
    claims: [],
    scenarios: new Map(),
    harnessErrors: [],
    cleanups: [],
    walked: [],
  }
  const lineAt = (index: number): number => place?.lines[index] ?? index + 1
  entries.forEach((entry, index) => add(building, entry, lineAt(index)))
  const watched = watchedUntil(entries, lineAt)
  const asked = building.exchanges
  const cutShort = building.end?.outcome === 'interrupted' && building.scenarios.size > 0
  const exchanges = cutShort ? new Map([...asked].filter(([, record]) => lineOf(record) <= watched.line)) : asked
  return { ...building, exchanges, asked, entries, lastT: entries.at(-1)?.t ?? 0, watched, since: place?.since ?? 0 }
}

function lineOf({ attempts }: ExchangeRecord): number {
  return attempts[0]?.request.line ?? 0
}

/** A trace of no scenario at all, such as a recorded conversation, was watched to its end. */
function watchedUntil(entries: readonly Entry[], lineAt: (index: number) => number): TraceIndex['watched'] {
  const last = entries.findLastIndex((entry) => scenarioOf(entry) !== undefined)
  const index = last < 0 ? entries.length - 1 : last
  return { line: index < 0 ? 0 : lineAt(index), t: entries[index]?.t ?? 0 }
}

function add(building: Building, entry: Entry, line: number): void {
  switch (entry.kind) {
    case 'header':
      building.header ??= entry
      return
    case 'end':
      building.end = entry
      return
    case 'request':
    case 'response':
    case 'failure':
      addRest(building, entry, line)
      return
    case 'channel-open':
    case 'channel-opened':
    case 'channel-refused':
    case 'channel-closed':
      addChannel(building, entry, line)
      return
    case 'frame-sent':
    case 'frame-received':
      addFrame(building, entry, line)
      return
    case 'claim':
      building.claims.push({ line, entry })
      return
    case 'mark':
      building.marks.set(entry.mark, { line, t: entry.t })
      if (entry.walk !== undefined) building.walked.push(entry.walk)
      return
    case 'halt':
      building.halts.push(entry)
      return
    case 'scenario-start':
      building.scenarios.set(entry.scenario, { scenario: entry.scenario, start: line })
      return
    case 'scenario-end': {
      const record = building.scenarios.get(entry.scenario)
      if (record !== undefined) record.end = { line, entry }
      return
    }
    case 'harness-error':
      building.harnessErrors.push({ line, entry })
      return
    case 'cleanup':
      building.cleanups.push(entry)
      return
    case 'wait':
      return
  }
}

function addRest(building: Building, entry: RequestEntry | ResponseEntry | FailureEntry, line: number): void {
  if (entry.kind === 'request') {
    const { exchange, operation, key, scenario } = entry
    const record = building.exchanges.get(exchange) ?? { exchange, operation, key, scenario, attempts: [] }
    building.exchanges.set(exchange, record)
    record.attempts.push({ request: { line, entry } })
    return
  }
  // A create that waits out 30006 is sent again under its number, and the attempts count from 1 again.
  const { attempt: count } = entry
  const attempt = building.exchanges
    .get(entry.exchange)
    ?.attempts.findLast((one) => one.request.entry.attempt === count)
  if (attempt === undefined) return
  if (entry.kind === 'response') attempt.response = { line, entry }
  else attempt.failure = { line, entry }
}

/** One text for all events of a type, not one for each line: dozens of rules compare them, and the same text is seen to be equal at once. */
const knownTypes = new Map<unknown, string>(
  [...idsOf(serverEvents), ...idsOf(clientEvents)].map((type) => [type, type]),
)

function typeIn(data: JsonObject): Json | undefined {
  const type = own(data, 'type')
  return knownTypes.get(type) ?? type
}

type ChannelEntry = Extract<Entry, { kind: 'channel-open' | 'channel-opened' | 'channel-refused' | 'channel-closed' }>

function addChannel(building: Building, entry: ChannelEntry, line: number): void {
  if (entry.kind === 'channel-open') {
    const { channel, session, scenario } = entry
    const earlier = triesOf(building.channels.get(channel))
    building.channels.set(channel, { channel, session, scenario, open: { line, entry }, earlier, frames: [] })
    return
  }
  const record = building.channels.get(entry.channel)
  if (record === undefined) return
  if (entry.kind === 'channel-opened') record.opened = { line, t: entry.t }
  else if (entry.kind === 'channel-refused') record.refused = { line, entry }
  else record.closed = { line, entry: { ...entry, t: entry.silent_since ?? entry.t } }
}

function triesOf(before: ChannelRecord | undefined): readonly RefusedTry[] {
  if (before?.refused === undefined) return []
  return [...before.earlier, { open: before.open, refused: before.refused }]
}

function addFrame(building: Building, entry: FrameSentEntry | FrameReceivedEntry, line: number): void {
  const frame: FrameRecord = {
    frame: entry.frame,
    line,
    t: entry.t,
    channel: entry.channel,
    scenario: entry.scenario,
    direction: entry.kind === 'frame-sent' ? 'sent' : 'received',
    data: entry.data,
    type: isObject(entry.data) ? typeIn(entry.data) : undefined,
    text: entry.text,
    problem: entry.kind === 'frame-received' ? entry.problem : undefined,
  }
  building.frames.set(entry.frame, frame)
  building.channels.get(entry.channel)?.frames.push(frame)
}
