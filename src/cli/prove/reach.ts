import { type Behaviour, standardBehaviour } from '#target/behaviour/behaviour'
import type { Variation } from '#target/deviation'
import { type Entry, scenarioOf } from '#trace/entry'

/** For each scenario the operations that it asked for, and `channel` where it opened one. */
export type Visits = Readonly<Record<string, readonly string[]>>

type Area = keyof Behaviour | `validations/${keyof Behaviour['validations']}`

/**
 * Parts of the reference target that lie behind some operations only: a change of them cannot be seen by whoever asks for
 * none of these. Everything else concerns all.
 */
const behind: { readonly [part in Area]?: RegExp } = {
  views: /avatar-session|session-from-character/,
  lifecycle: /avatar-session|session-from-character|^channel$/,
  idempotency: /avatar-session|session-from-character/,
  // A character is held to what Create Session asks.
  create: /avatar-session|character/,
  'validations/createSession': /avatar-session|character/,
  'validations/usedVoices': /avatar-session|character|voice|^channel$/,
  world: /world|client-secret/,
  characters: /character/,
  files: /upload-audio|voice/,
  voices: /voice/,
  channel: /^channel$/,
  frames: /^channel$/,
  events: /^channel$/,
  outgoing: /^channel$/,
  update: /^channel$/,
  conversation: /^channel$/,
  responses: /^channel$/,
  scheduling: /^channel$/,
  generation: /^channel$/,
  pace: /^channel$/,
  extras: /^channel$/,
  'validations/avatarAddition': /^channel$/,
  'validations/itemCreate': /^channel$/,
  'validations/itemDelete': /^channel$/,
  'validations/responseCreate': /^channel$/,
  'validations/character': /character/,
  'validations/replacement': /character/,
  'validations/start': /character/,
  'validations/clone': /voice/,
}

/** What each scenario of a trace made happen. */
export function visitsOf(entries: readonly Entry[]): Visits {
  const visits = new Map<string, Set<string>>()
  for (const entry of entries) {
    const scenario = scenarioOf(entry)
    if (scenario === undefined) continue
    const seen = visits.get(scenario) ?? new Set()
    visits.set(scenario, seen)
    if (entry.kind === 'request' && entry.operation !== null) seen.add(entry.operation)
    if (entry.kind === 'channel-open') seen.add('channel')
  }
  return Object.fromEntries([...visits].map(([scenario, seen]) => [scenario, [...seen]]))
}

/** What a variation does to the reference target. */
export interface Change {
  /** Which operations lie before what it changes; undefined for what all can see. */
  readonly doors: readonly (RegExp | undefined)[]
  /** Whether a run beside them takes long, however little there is to do. */
  readonly slow: boolean
}

/** Looks in which parts of a fresh behaviour something is another value, or another function, afterwards. */
export function changeOf({ override, concerns }: Variation): Change {
  const behaviour = standardBehaviour()
  const before = leavesByPart(behaviour)
  override(behaviour)
  const after = leavesByPart(behaviour)
  const all = new Set([...before.keys(), ...after.keys()])
  const parts = [...all].filter((part) => !sameLeaves(before.get(part) ?? [], after.get(part) ?? []))
  const doors = concerns === undefined ? parts.map((part) => behind[part]) : [concerns]
  return { doors, slow: slowing.some((part) => parts.includes(part)) || isSlow(behaviour) }
}

/** So late an event makes a run of all take much longer, in milliseconds. */
const late = 500

function isSlow({ http, pace, channel }: Behaviour): boolean {
  return http.answerMs > 0 || pace.startMs >= late || channel.delayMs({ type: 'error' }) >= late
}

/** Scenarios that can see one of these changes; undefined where all can. */
export function reachOf(changes: readonly Change[], visits: Visits): readonly string[] | undefined {
  const doors = changes.flatMap((one) => one.doors)
  if (doors.length === 0 || doors.includes(undefined)) return undefined
  const within = (visit: string): boolean => doors.some((door) => door?.test(visit))
  const reached = Object.entries(visits).filter(([, seen]) => seen.some(within))
  return reached.map(([scenario]) => scenario)
}

/** Parts a change of which makes a run wait: for a place, for the next minute, or for each answer. */
const slowing: readonly Area[] = ['quota', 'rate']

function leavesByPart({ validations, ...others }: Behaviour): ReadonlyMap<Area, readonly unknown[]> {
  const ruled = Object.entries(validations).map(([name, value]) => [`validations/${name}`, value] as const)
  return new Map([...Object.entries(others), ...ruled].map(([part, value]) => [part as Area, leavesOf(value)]))
}

/** Every value in it that holds no others, each after its place. */
function leavesOf(value: unknown, place = '', seen = new Set<unknown>()): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [place, value]
  if (seen.has(value)) return [place]
  seen.add(value)
  const within = value instanceof Map || value instanceof Set ? [...value] : Object.entries(value)
  if (within.length === 0) return [place, value]
  return within.flatMap((one, nth) => leavesOf(Array.isArray(one) ? one[1] : one, `${place}/${nameOf(one, nth)}`, seen))
}

const nameOf = (one: unknown, nth: number): string => String(Array.isArray(one) ? one[0] : nth)

function sameLeaves(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((leaf, place) => Object.is(leaf, right[place]))
}
