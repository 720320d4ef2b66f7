import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { at, type Json } from '#trace/json'

/** What was shown of one session so far. */
interface Known {
  readonly statuses: Set<string>
  readonly counts: Map<string, number>
  /** A look was taken once more already. */
  again: boolean
}

const counters = [
  '/last_sequence',
  '/usage/generated_video_ms',
  '/usage/generated_audio_ms',
  '/runtime/media_time_ms',
] as const

const known = new WeakMap<Context, Map<string, Known>>()

function knownOf(context: Context, id: string): Known {
  const sessions = known.get(context) ?? new Map<string, Known>()
  known.set(context, sessions)
  const one = sessions.get(id) ?? { statuses: new Set(), counts: new Map(), again: false }
  sessions.set(id, one)
  return one
}

/** Notes what an answer shows of a session, a close that was accepted among it. */
export function note(context: Context, id: string, { ok, data }: Exchange): void {
  if (!ok) return
  const { statuses, counts } = knownOf(context, id)
  const status = at(data, '/status')
  if (typeof status === 'string') statuses.add(status)
  for (const place of counters) {
    const count = countAt(data, place)
    if (count !== undefined) counts.set(place, Math.max(count, counts.get(place) ?? 0))
  }
}

/**
 * Whether a Get shows less than was shown before: it may come from a replica, and is worth a second look, once a session.
 */
export function isBehind(context: Context, id: string, { ok, data }: Exchange): boolean {
  const one = knownOf(context, id)
  if (!ok || one.again) return false
  const shown = at(data, '/status')
  const status = typeof shown === 'string' ? shown : ''
  const reached = (...names: readonly string[]): boolean => names.some((name) => one.statuses.has(name))
  const back =
    (reached('closing', 'closed') && ['active', 'provisioning'].includes(status)) ||
    (reached('closed') && status !== 'closed') ||
    (reached('active') && status === 'provisioning')
  const fallen = counters.some((place) => (countAt(data, place) ?? Infinity) < (one.counts.get(place) ?? 0))
  one.again = back || fallen
  return one.again
}

function countAt(data: Json | undefined, place: string): number | undefined {
  const count = Number(at(data, place) ?? Number.NaN)
  return Number.isNaN(count) ? undefined : count
}
