import { seeded } from '#scenario/runner/random'
import type { EdgeAnswer } from './pages.ts'

/**
 * What becomes of one request: it goes through, is lost before or after the target acted, its answer breaks off in the middle,
 * or a proxy answers for it.
 */
export type RequestFate =
  | { readonly is: 'fine' | 'lost' | 'answer-lost' | 'cut' }
  /** A proxy sends it once more by itself where it may, and hands on the answer to that (RFC 9110, 9.2.2). */
  | { readonly is: 'twice' }
  /** `acted`: the target was asked all the same. `answer`: what the edge says; default a page. */
  | { readonly is: 'page'; readonly status: number; readonly acted: boolean; readonly answer?: EdgeAnswer }
  /** Its answer comes so much later, in milliseconds. */
  | { readonly is: 'stalled'; readonly ms: number }
  /** The connection is closed behind its answer: as announced, or behind `100 Continue` before it. */
  | { readonly is: 'closed-behind' | 'continued' }
  /** The service itself says that it failed, before it did anything. */
  | { readonly is: 'mishap'; readonly status: number }

/** What becomes of an upgrade. */
export type UpgradeFate = { readonly is: 'fine' | 'reset' } | { readonly is: 'refused'; readonly status: number }

/** What becomes of a connection; without a code it ends without a closing handshake. */
export type ChannelFate =
  | { readonly is: 'fine' }
  | ({ readonly is: 'cut'; readonly after_ms: number } & Cut)
  /** Nothing passes for so long, either way. */
  | { readonly is: 'stalled'; readonly after_ms: number; readonly ms: number }

export interface Cut {
  readonly code: number | undefined
}

/** Decides what goes wrong between a client and its target. */
export interface FaultPlan {
  request(): RequestFate
  upgrade(): UpgradeFate
  /** Whether nobody is there at this moment. */
  away(): boolean
  channel?(): ChannelFate
  /** How long each thing takes each way, in milliseconds. */
  delay_ms?(): number
  /** How all connections are cut at this moment, if they are. */
  cutsAll?(): Cut | undefined
}

export const fine = { is: 'fine' } as const

/** Everything goes well. */
export const fairDay: FaultPlan = { away: () => false, request: () => fine, upgrade: () => fine }

const pages = [502, 503, 504, 403, 429]
/** Behind these the target may have acted. */
const late = new Set([502, 504])

/** One request in a hundred is lost, one loses its answer, one gets a proxy's page; one upgrade in a hundred is refused. */
export function scattered(seed: number): FaultPlan {
  const random = seeded(seed, 'scattered')
  const strikes = (): boolean => random(100) === 0
  return {
    ...fairDay,
    request: () => {
      if (strikes()) return { is: 'lost' }
      if (strikes()) return { is: 'answer-lost' }
      if (!strikes()) return fine
      const status = pages[random(pages.length)] ?? 502
      return { is: 'page', status, acted: late.has(status) && random(2) === 0 }
    },
    upgrade: () => {
      if (!strikes()) return fine
      const status = [502, 503, 429][random(4)]
      return status === undefined ? { is: 'reset' } : { is: 'refused', status }
    },
  }
}

/** In one request of a hundred the service fails, and says so in its envelope (section 7: 5xx). */
export function mishaps(seed: number): FaultPlan {
  const random = seeded(seed, 'mishaps')
  const request = (): RequestFate => (random(100) === 0 ? { is: 'mishap', status: random(2) === 0 ? 500 : 503 } : fine)
  return { ...fairDay, request }
}

/** Of a hundred requests a proxy sends two once more by itself, and of one the answer breaks off. */
export function meddling(seed: number): FaultPlan {
  const random = seeded(seed, 'meddling')
  const request = (): RequestFate => {
    const drawn = random(100)
    if (drawn < 2) return { is: 'twice' }
    return drawn === 2 ? { is: 'cut' } : fine
  }
  return { ...fairDay, request }
}

/** Nobody is there for `ms` every `every_ms`, and once for `once_ms`, at times that the seed decides. */
export function outages(seed: number, { ms = 1_500, every_ms = 30_000, once_ms = 10_000 } = {}): FaultPlan {
  const random = seeded(seed, 'outages')
  const began = performance.now()
  const first = random(Math.min(every_ms - ms, 6_000))
  const once = 2_000 + random(every_ms / 2)
  const away = (): boolean => {
    const now = performance.now() - began
    const inTurn = now >= first && (now - first) % every_ms < ms
    return inTurn || (now >= once && now < once + once_ms)
  }
  return { ...fairDay, away }
}
