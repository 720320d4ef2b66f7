import type { Entry, FrameReceivedEntry, RequestEntry } from '#trace/entry'
import { textAt } from '#trace/json'
import { furtherEvent, newFrames } from './content.ts'
import type { Chance, LegalChange } from './legal-change.ts'

const page = '<html><body>502 Bad Gateway</body></html>'

/** What had to be asked twice: the first try met the page of a proxy, or a reset. */
function askedTwice(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const moved = new Set<number>()
  return entries.flatMap((entry): readonly Entry[] => {
    if (
      entry.kind === 'request' &&
      entry.method === 'GET' &&
      entry.operation !== null &&
      entry.attempt === 1 &&
      entry.scenario !== undefined &&
      entry.manner?.retry === undefined &&
      chance.here()
    ) {
      moved.add(entry.exchange)
      return [entry, lostAnswer(entry, chance), { ...entry, attempt: 2 }]
    }
    const isLater = 'attempt' in entry && moved.has(entry.exchange)
    return [isLater ? { ...entry, attempt: entry.attempt + 1 } : entry]
  })
}

function lostAnswer({ t, exchange, attempt, scenario }: RequestEntry, chance: Chance): Entry {
  const common = { t, exchange, attempt, ...(scenario === undefined ? {} : { scenario }) }
  if (chance.below(2) === 0) return { kind: 'failure', ...common, reason: 'reset', message: 'the connection was reset' }
  const status = chance.one([502, 503, 504, 408, 429])
  return {
    kind: 'response',
    ...common,
    status,
    headers: { 'content-type': 'text/html' },
    text: page,
    problem: 'not-json',
    bytes: page.length,
  }
}

/** A channel that opened at the second try. */
function openedLater(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const refused = new Set<number>(entries.flatMap((entry) => (entry.kind === 'channel-refused' ? [entry.channel] : [])))
  return entries.flatMap((entry): readonly Entry[] => {
    if (entry.kind !== 'channel-open' || refused.has(entry.channel) || !chance.here()) return [entry]
    const { t, channel, scenario } = entry
    const status = chance.one([502, 503, 504, 429])
    const common = { t, channel, ...(scenario === undefined ? {} : { scenario }) }
    return [entry, { kind: 'channel-refused', ...common, status, reason: 'status', message: `HTTP ${status}` }, entry]
  })
}

/** 6.2: a server's processing step fails, and the event names nothing of ours. */
function failing(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const frame = newFrames(entries)
  return entries.flatMap((entry): readonly Entry[] => {
    // One that fails over everything is another matter.
    if (entry.kind !== 'frame-received' || !chance.here() || chance.below(5) > 0) return [entry]
    const number = frame()
    const error = { type: 'server_error', code: 'internal_error', message: 'A step failed.' }
    return [entry, furtherEvent(entry, number, { type: 'error', event_id: `failed-${number}`, error })]
  })
}

/** The end of the opening, told to each connection of a session; to each the same. */
function opened(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const frame = newFrames(entries)
  const sessions = new Map<number, string>()
  const alive = new Set(entries.flatMap((entry) => (entry.kind === 'frame-received' ? [entry.channel] : [])))
  const told = new Set(entries.flatMap((entry) => (isOpening(entry) ? [entry.channel] : [])))
  const all = new Set([...told].map((channel) => sessionOf(entries, channel)))
  return entries.flatMap((entry): readonly Entry[] => {
    if (entry.kind === 'channel-open') sessions.set(entry.channel, entry.session)
    if (entry.kind !== 'channel-opened') return [entry]
    const session = sessions.get(entry.channel)
    if (session === undefined || all.has(session) || !alive.has(entry.channel) || !chance.here()) return [entry]
    const { t, channel, scenario } = entry
    const beside: FrameReceivedEntry = {
      kind: 'frame-received',
      t,
      channel,
      frame: 0,
      bytes: 0,
      ...(scenario === undefined ? {} : { scenario }),
    }
    const data = {
      type: 'session.bootstrap.opening.done',
      event_id: `opening-${session}`,
      status: 'cancelled',
      reason: 'nothing to say',
    }
    return [entry, furtherEvent(beside, frame(), data)]
  })
}

function isOpening(entry: Entry): entry is FrameReceivedEntry {
  return entry.kind === 'frame-received' && textAt(entry.data, '/type') === 'session.bootstrap.opening.done'
}

function sessionOf(entries: readonly Entry[], channel: number): string | undefined {
  const open = entries.find((entry) => entry.kind === 'channel-open' && entry.channel === channel)
  return open?.kind === 'channel-open' ? open.session : undefined
}

/** What fails on the way, or for a moment, and what a service says by itself. */
export const accidents: readonly LegalChange[] = [
  { id: 'asked-twice', section: '7', why: 'What an edge answers, or a reset, is asked again.', apply: askedTwice },
  { id: 'opened-at-the-second-try', section: '5', why: 'What an edge answers is asked again.', apply: openedLater },
  {
    id: 'server-errors',
    section: '6.2',
    why: 'An error may tell that a step of the server failed, and need not say over what.',
    apply: failing,
  },
  { id: 'openings', section: '6.2', why: 'The end of the opening may be told to each connection.', apply: opened },
]
