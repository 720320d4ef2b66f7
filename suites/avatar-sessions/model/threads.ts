import { idsMade, wasAskedToClose } from './blame.ts'
import type { History, Seen } from './explain.ts'
import type { Deed } from './trace.ts'

/** All that was done about the sessions of one idempotency key: the model looks at each thread alone. */
export interface Thread {
  readonly key: string
  readonly ids: Set<string>
  readonly history: Seen[]
  /** Milliseconds of the run until which no timer can have ended its sessions. */
  safeUntil: number
}

export interface Threads {
  readonly threads: readonly Thread[]
  /** Get and Close of ids that no create gave. */
  readonly foreign: readonly Deed[]
  readonly clashes: readonly Clash[]
}

/** A session that two keys got. */
export interface Clash {
  readonly id: string
  readonly lines: readonly number[]
  /** The first one had been asked to close: its id is used again. */
  readonly again: boolean
}

interface Sorting {
  readonly threads: Map<string, Thread>
  readonly owners: Map<string, Thread>
  readonly foreign: Deed[]
  readonly clashes: Clash[]
  /** Whether a list of the run ever showed a session of ours: otherwise it may show none at all. */
  readonly telling: boolean
}

/** Sorts what was done by the key whose sessions it is about. */
export function threadsOf(deeds: readonly Deed[]): Threads {
  const ids = new Set(deeds.flatMap(({ outcome }) => idsMade(outcome)))
  const telling = deeds.some(({ page }) => page !== undefined && page.shown.intersection(ids).size > 0)
  const sorting: Sorting = { threads: new Map(), owners: new Map(), foreign: [], clashes: [], telling }
  for (const deed of deeds) sort(sorting, deed)
  return { ...sorting, threads: [...sorting.threads.values()] }
}

function sort(sorting: Sorting, deed: Deed): void {
  const { stimulus, page } = deed
  if (stimulus.act === 'create') return addCreate(sorting, deed)
  if (page !== undefined) return addList(sorting, deed)
  if (!('id' in stimulus)) return
  const owner = sorting.owners.get(stimulus.id)
  if (owner === undefined) sorting.foreign.push(deed)
  else owner.history.push(deed)
  if (stimulus.act !== 'close' || deed.outcome.is === 'nothing') return
  for (const other of sorting.threads.values()) {
    if (other !== owner) other.history.push({ ...deed, stimulus: { act: 'close-another' } })
  }
}

function addCreate({ threads, owners, clashes }: Sorting, deed: Deed): void {
  // Each create without a key makes a session of its own.
  const key = deed.key ?? `line ${deed.lines[0]}`
  const safeUntil = (deed.since ?? deed.t) + (deed.lasts_ms ?? Number.POSITIVE_INFINITY)
  const fresh: Thread = { key, ids: new Set(), history: [], safeUntil }
  const thread = threads.get(key) ?? fresh
  threads.set(key, thread)
  thread.safeUntil = Math.min(thread.safeUntil, fresh.safeUntil)
  for (const id of idsMade(deed.outcome)) {
    const owner = owners.get(id) ?? thread
    owners.set(id, owner)
    thread.ids.add(id)
    if (owner === thread) continue
    const again = wasAskedToClose(owner.history, id)
    // A session that is given to a create without a key as well is the business of the rule about keys.
    if (deed.key === undefined && !again) continue
    clashes.push({ id, again, lines: [...linesOfCreate(owner.history, id), ...deed.lines] })
  }
  const last = thread.history.at(-1)
  if (last !== undefined && overlaps(last, deed)) thread.history.splice(-1, 1, joined(last, deed))
  else thread.history.push(deed)
}

/** Sent before the one before it was answered. */
function overlaps(last: Seen, deed: Deed): boolean {
  return last.stimulus.act === 'create' && (deed.lines[0] ?? 0) < Math.max(...last.lines)
}

function joined(last: Seen, deed: Seen): Seen {
  const before = last.outcome.is === 'together' ? last.outcome.of : [last.outcome]
  return {
    stimulus: { act: 'create' },
    outcome: { is: 'together', of: [...before, deed.outcome] },
    lines: [...last.lines, ...deed.lines],
    t: Math.max(last.t, deed.t),
    trouble: last.trouble ?? deed.trouble,
  }
}

/** Each thread hears of its own sessions only. */
function addList({ threads, telling }: Sorting, { page, ...deed }: Deed): void {
  if (page === undefined) return
  for (const { ids, history } of threads.values()) {
    const shown = [...ids].filter((id) => page.open.has(id))
    const missing = page.whole && telling ? [...ids].filter((id) => !page.shown.has(id)) : []
    history.push({ ...deed, outcome: { is: 'listed', shown, missing } })
  }
}

function linesOfCreate(history: History, id: string): readonly number[] {
  return history.find(({ outcome }) => idsMade(outcome).includes(id))?.lines ?? []
}
