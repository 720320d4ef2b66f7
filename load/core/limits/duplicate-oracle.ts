import { saysWrong } from '../refusal.ts'
import { broken, held, type Law, type Ruling } from './laws.ts'

/** How long a key may be told that its create is in progress. */
const IN_PROGRESS_MS = 15_000

/** One try of a create, and what came of it. */
export interface CreateTry {
  /** Its idempotency key: for one workspace, each stands for one session. */
  readonly idempotencyKey: string
  readonly sentAt: number
  /** When the answer came, or was given up. */
  readonly answeredAt: number
  /** `made`: a session, of this or an earlier try. `lost`: no answer came, or none of the target's. */
  readonly outcome: 'made' | 'throttled' | 'failed' | 'lost' | 'refused'
  readonly sessionId?: string
  /** Of the answer. */
  readonly code?: string
}

/** What else is known of the sessions that came to exist. */
export interface Sightings {
  /** When we first asked for the close of a session; from then on its key may stand for another. */
  readonly closedAt: ReadonlyMap<string, number>
  /** Sessions that no answer told of and that bear the mark of one of our creates, by its idempotency key. */
  readonly strays: ReadonlyMap<string, readonly string[]>
}

/**
 * "Retrying a create (after 429, 5xx or timeout) with the same key does not allocate a duplicate session" (4.1): judged by
 * the sessions that came to exist. What the losers of a race are told is left open.
 */
export function judgeDuplicates(tries: readonly CreateTry[], { closedAt, strays }: Sightings): Ruling[] {
  const rulings: Ruling[] = []
  for (const [key, all] of groupsOf(tries))
    rulings.push(...judgeStrays(all, strays.get(key) ?? []), ...judgeTries(all, closedAt))
  return [...rulings, ...judgeShared(tries)]
}

/** Sessions that bear the mark of a create, beside the one that its key was given. */
function judgeStrays(group: readonly CreateTry[], strays: readonly string[]): Ruling[] {
  if (strays.length === 0) return []
  const last = group.at(-1)
  const told = group.some(({ outcome }) => outcome === 'made')
  if (told || strays.length > 1) {
    const got = `${strays.length + (told ? 1 : 0)} sessions of one idempotency key`
    return group.length > 1 ? lawsOf(group, last).map((law) => broken(law, got)) : []
  }
  // The one session that there is, and its key is refused though no create can be in progress any more.
  const lost = group.find(({ outcome }) => outcome === 'lost')
  const stuck = last?.outcome === 'refused' && lost !== undefined && last.sentAt - lost.answeredAt > IN_PROGRESS_MS
  return stuck ? [broken('lost-key-stuck', 'the key is refused, and its session is there')] : []
}

function groupsOf(tries: readonly CreateTry[]): Map<string, CreateTry[]> {
  const groups = new Map<string, CreateTry[]>()
  for (const one of tries.toSorted((left, right) => left.sentAt - right.sentAt)) {
    const group = groups.get(one.idempotencyKey)
    if (group === undefined) groups.set(one.idempotencyKey, [one])
    else group.push(one)
  }
  return groups
}

function judgeTries(group: readonly CreateTry[], closedAt: ReadonlyMap<string, number>): Ruling[] {
  const [first, ...later] = group.filter(({ outcome }) => outcome === 'made')
  if (first?.sessionId === undefined) return []
  const over = Math.min(...group.map(({ sessionId }) => closedAt.get(sessionId ?? '') ?? Number.POSITIVE_INFINITY))
  const rulings = later
    // A close that goes out at the moment of an answer came after it.
    .filter(({ answeredAt }) => answeredAt <= over)
    .flatMap((one) =>
      lawsOf(group, one).map((law) =>
        one.sessionId === first.sessionId ? held(law) : broken(law, 'one idempotency key was given two sessions'),
      ),
    )
  // One session after refusals: what was refused made none that an answer told of.
  return rulings.length > 0 ? rulings : lawsOf(group, first).map(held)
}

/** What makes a try of the group a repetition: of an answer, of a race, and of what went wrong before. */
function lawsOf(group: readonly CreateTry[], one: CreateTry | undefined): Law[] {
  if (one === undefined) return []
  const earlier = group.filter((other) => other !== one && other.sentAt <= one.sentAt)
  const race = group.some((other) => other !== one && other.outcome !== 'lost' && overlap(other, one))
  const after = (outcome: CreateTry['outcome'], law: Law): Law[] =>
    earlier.some((other) => other.outcome === outcome) ? [law] : []
  return [
    ...(race ? (['duplicate-in-flight'] as const) : after('made', 'duplicate-after-success')),
    ...after('throttled', 'duplicate-after-429'),
    ...after('failed', 'duplicate-after-5xx'),
    ...after('lost', 'duplicate-after-timeout'),
  ]
}

const overlap = (one: CreateTry, other: CreateTry): boolean =>
  one.sentAt < other.answeredAt && other.sentAt < one.answeredAt

/** Different keys make different sessions. */
function judgeShared(tries: readonly CreateTry[]): Ruling[] {
  const owners = new Map<string, string>()
  for (const { idempotencyKey, sessionId } of tries) {
    if (sessionId === undefined) continue
    const owner = owners.get(sessionId) ?? idempotencyKey
    owners.set(sessionId, owner)
    if (owner !== idempotencyKey) return [broken('key-shared-session', 'two idempotency keys were given one session')]
  }
  return owners.size > 1 ? [held('key-shared-session')] : []
}

/** Creates that were refused for the time being, and whose session is there all the same. */
export function judgeRefusedCreates(
  tries: readonly CreateTry[],
  strays: Sightings['strays'],
  law: Law = 'refused-create-made-session',
): Ruling[] {
  const refused = [...groupsOf(tries)].filter(([, group]) => group.every(({ outcome }) => outcome === 'throttled'))
  if (refused.length === 0) return []
  const made = refused.filter(([key]) => strays.has(key))
  return [made.length === 0 ? held(law) : broken(law, `${made.length} refused creates made a session`)]
}

/** One may be told so by mistake, as of one that came with another in progress. */
const WRONGLY = 2

/**
 * Creates that were called wrong when their keys came for the first time, though others were taken that differ in nothing but
 * their names. What a repeat is told is left open: it may be that the one before is in progress.
 */
export function judgeCalledWrong(tries: readonly CreateTry[]): Ruling[] {
  const firsts = [...groupsOf(tries)].flatMap(([, [first, next]]) =>
    first !== undefined && (next === undefined || next.sentAt >= first.answeredAt) ? [first] : [],
  )
  const taken = firsts.filter(({ outcome }) => outcome === 'made').length
  const wrong = firsts.filter(({ outcome, code = '' }) => outcome === 'refused' && saysWrong(code)).length
  if (taken < WRONGLY) return []
  const law = 'valid-create-refused'
  return [wrong < WRONGLY ? held(law) : broken(law, `${wrong} of ${firsts.length} creates were called wrong`)]
}

/** A create that is still refused though what stood in its way has gone. */
export interface StuckKey {
  readonly law: Extract<Law, `${'refused' | 'limited' | 'capacity' | 'failed' | 'lost'}-key-stuck`>
  /** Whether the key was given its session in the end. */
  readonly served: boolean
  /** Whether creates with fresh keys were, at the same time and before and after it. */
  readonly othersServed: boolean
}

/** A key that failed once and is refused for ever, while fresh keys are served, is not what section 7 says to retry with. */
export function judgeStuck(keys: readonly StuckKey[]): Ruling[] {
  return keys.flatMap(({ law, served, othersServed }) => {
    if (served) return [held(law)]
    return othersServed ? [broken(law, 'the key stayed refused while fresh keys were served')] : []
  })
}
