import { seeded } from '#scenario/runner/random'
import { type ChannelFate, fairDay, type FaultPlan, fine, type RequestFate, type UpgradeFate } from './fault-plan.ts'
import { edgeAnswers } from './pages.ts'

/** Behind these the target may have acted. */
const late = new Set([500, 502, 504])
const refusals = [502, 503, 504, 429, 404, 403, 302]
const closes = [1006, 1001, 1012, undefined]

/**
 * All that goes wrong between a client and a service on an ordinary bad day: of a hundred requests two are lost, cut, stalled or
 * closed behind, and one is answered by an edge; of a hundred upgrades one is refused; of a hundred connections three break or
 * stand still.
 *
 * @param share of all requests that meets each of the three; default one in a hundred
 */
export function badDay(seed: number, share = 0.01): FaultPlan {
  const random = seeded(seed, 'bad-day')
  const strikes = (): boolean => random(10_000) < share * 10_000
  const ways: readonly (() => RequestFate)[] = [
    () => ({ is: 'lost' }),
    () => ({ is: 'answer-lost' }),
    () => ({ is: 'cut' }),
    () => ({ is: 'stalled', ms: 3_000 + random(5_000) }),
    () => ({ is: 'closed-behind' }),
    () => ({ is: 'continued' }),
  ]
  return {
    ...fairDay,
    request: (): RequestFate => {
      if (strikes() || strikes()) return ways[random(ways.length)]?.() ?? fine
      if (!strikes()) return fine
      const answer = edgeAnswers[random(edgeAnswers.length)]
      if (answer === undefined) return fine
      return { is: 'page', status: answer.status, answer, acted: late.has(answer.status) && random(2) === 0 }
    },
    upgrade: (): UpgradeFate => {
      if (!strikes()) return fine
      const status = refusals[random(refusals.length + 1)]
      return status === undefined ? { is: 'reset' } : { is: 'refused', status }
    },
    channel: (): ChannelFate => {
      if (!strikes() && !strikes() && !strikes()) return fine
      const after_ms = random(4_000)
      if (random(3) === 0) return { is: 'stalled', after_ms, ms: 3_000 + random(5_000) }
      return { is: 'cut', after_ms, code: closes[random(closes.length)] }
    },
  }
}

/** A hundred kilometres of copper and a satellite: a third of a second each way, now and then more. */
export function slowLink(seed: number): FaultPlan {
  const random = seeded(seed, 'slow-link')
  return { ...fairDay, delay_ms: () => 250 + random(150) }
}

/** A pod goes now and then: all connections are cut at once, its sessions go on at another one. */
export function restarts(seed: number, every_ms = 20_000): FaultPlan {
  const random = seeded(seed, 'restarts')
  const began = performance.now()
  let next = random(every_ms)
  return {
    ...fairDay,
    cutsAll: () => {
      if (performance.now() - began < next) return undefined
      next += every_ms / 2 + random(every_ms)
      return { code: closes[random(closes.length)] }
    },
  }
}
