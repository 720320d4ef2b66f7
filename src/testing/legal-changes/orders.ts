import { type Entry, type FrameReceivedEntry, scenarioOf } from '#trace/entry'
import { textAt } from '#trace/json'
import { typeOf } from './additions.ts'
import type { Chance, LegalChange } from './legal-change.ts'

/** What an event is about; undefined for what is left alone. */
function subjectOf(entry: FrameReceivedEntry): string | undefined {
  const type = typeOf(entry)
  if (type.startsWith('response.'))
    return `response ${textAt(entry.data, '/response_id') ?? textAt(entry.data, '/response/id')}`
  if (type === 'session.updated' || type === 'session.update.done') return 'update'
  if (type === 'session.bootstrap.opening.done') return 'opening'
  if (type.startsWith('conversation.item.')) return 'item'
  if (type === 'asset.added' || type === 'avatar.added') return 'addition'
  return type === 'error' ? 'error' : undefined
}

function areIndependent(one: FrameReceivedEntry, other: FrameReceivedEntry): boolean {
  const [first, second] = [subjectOf(one), subjectOf(other)]
  if (first === undefined || second === undefined || first === second) return false
  // That one response waits for another may have been asked for.
  return !(first.startsWith('response ') && second.startsWith('response '))
}

/** What we do may be for what came before it, and what comes after it may answer it. */
function isOurs({ kind }: Entry): boolean {
  return kind === 'frame-sent' || kind === 'request' || kind === 'mark' || kind === 'channel-open'
}

/** Neighbours on one channel, with nothing of ours between them, in the other order. */
function swapped(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const changed = [...entries]
  const last = new Map<number, number>()
  for (const [place, entry] of entries.entries()) {
    if (isOurs(entry)) last.clear()
    if (entry.kind !== 'frame-received') continue
    const before = last.get(entry.channel)
    last.set(entry.channel, place)
    const earlier = before === undefined ? undefined : entries[before]
    if (before === undefined || earlier?.kind !== 'frame-received' || !areIndependent(earlier, entry) || !chance.here())
      continue
    changed[before] = withContent(earlier, entry)
    changed[place] = withContent(entry, earlier)
    last.delete(entry.channel)
  }
  return changed
}

function withContent(place: FrameReceivedEntry, of: FrameReceivedEntry): FrameReceivedEntry {
  return { ...of, t: place.t, frame: place.frame }
}

/** Whether something of the service arrived with this entry. */
function arrives({ kind }: Entry): boolean {
  return kind === 'response' || kind === 'frame-received' || kind === 'channel-closed'
}

function lineOf(entry: Entry): string {
  return 'channel' in entry ? `channel ${entry.channel}` : 'exchange' in entry ? `exchange ${entry.exchange}` : ''
}

/** What came on two connections, one right after the other in its scenario, came the other way round. */
function crossed(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const changed = [...entries]
  const last = new Map<string, number>()
  for (const [place, entry] of entries.entries()) {
    const scenario = scenarioOf(entry)
    if (scenario === undefined) continue
    const before = last.get(scenario)
    const earlier = before === undefined ? undefined : entries[before]
    last.set(scenario, place)
    if (before === undefined || earlier === undefined || !arrives(entry) || !arrives(earlier)) continue
    if (lineOf(entry) === lineOf(earlier) || !chance.here()) continue
    changed[before] = { ...entry, t: earlier.t } as Entry
    changed[place] = { ...earlier, t: entry.t } as Entry
    last.delete(scenario)
  }
  return changed
}

/** Nothing is read later than this, in milliseconds: pauses of a run are counted by the millisecond. */
const most_late_ms = 40

/** What came is read only when its scenario does the next thing; what came to others goes before it. */
function heldBack(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const held = new Map<string, Entry[]>()
  const out: Entry[] = []
  const release = (scenario: string, t: number): void => {
    for (const one of held.get(scenario) ?? []) out.push(later(one, t))
    held.delete(scenario)
  }
  for (const entry of entries) {
    const scenario = scenarioOf(entry)
    for (const [one, [first]] of held)
      if (scenario === undefined || entry.t > (first?.t ?? 0) + most_late_ms) release(one, out.at(-1)?.t ?? entry.t)
    if (scenario !== undefined && arrives(entry) && (held.has(scenario) || chance.here())) {
      held.set(scenario, [...(held.get(scenario) ?? []), entry])
      continue
    }
    if (scenario !== undefined) release(scenario, entry.t)
    out.push(entry)
  }
  for (const list of held.values()) out.push(...list)
  return out
}

/** The entry at a later time; the header's stays. */
function later(entry: Entry, t: number): Entry {
  return entry.kind === 'header' ? entry : { ...entry, t: Math.max(entry.t, t) }
}

/** More than this in all would show in the times that the service writes. */
const longest_ms = 100

/** Everything after a pause is later by it. */
function slowed(most_ms: number): LegalChange['apply'] {
  return (entries, chance) => {
    let behind = 0
    return entries.map((entry) => {
      if (arrives(entry) && chance.here()) behind = Math.min(longest_ms, behind + chance.below(most_ms * 10) / 10)
      return later(entry, Math.round((entry.t + behind) * 1_000) / 1_000)
    })
  }
}

/** What may come in another order, or later. */
export const orders: readonly LegalChange[] = [
  {
    id: 'events-swapped',
    section: '6.2',
    why: 'No order is stated between events of an update, of an item, of an addition, of a response and an error.',
    apply: swapped,
  },
  {
    id: 'connections-crossed',
    section: '6',
    why: 'What comes on one connection has no order to what comes on another.',
    apply: crossed,
  },
  { id: 'read-late', section: '6', why: 'What comes may take its time on its way.', apply: heldBack },
  { id: 'slower', section: '6', why: 'What comes may take its time on its way.', apply: slowed(5) },
]
