import { type Clock, orAborted } from './clock.ts'

/** Under way at once while nothing is known of the target. */
const atFirst = 6
/** Which parts of the time that a reply has are little, and much. */
const little = 1 / 6
const much = 1 / 3
/** Who takes no more than so many times what the quickest took has not waited for others; who takes more than this has. */
const alike = 1.5
const behindOthers = 2

/**
 * Requests that a target may carry out one after another, each in seconds (no time is promised): no more of them are under
 * way than it answers in a part of the time that a reply has, so that none waits behind others until it seems lost. Where
 * it carries out many at once, many soon are under way. What one asker sends at the same time is not kept apart.
 */
export interface Crowd {
  /**
   * Waits until one more may go out, first come first served, which it does at once then.
   *
   * @param asker whoever sends, by any name
   * @param operation requests of one kind should take equally long
   */
  enter(asker: string, operation: string, signal: AbortSignal | undefined): Promise<Place>
}

/** Of one request. */
export interface Place {
  /** It is over; `served` where it did what it was sent for. */
  leave(served: boolean): void
}

/** @param reply_ms time that a profile gives a reply */
export function createCrowd(reply_ms: number, clock: Pick<Clock, 'now'>): Crowd {
  let [most, fewerSince] = [atFirst, -Infinity]
  const inside: string[] = []
  const quickest = new Map<string, number>()
  const waiting = new Map<(place: Place) => void, { readonly asker: string; readonly operation: string }>()

  /** @param sent when it was */
  function learn(operation: string, sent: number, served: boolean): void {
    const took = clock.now() - sent
    if (served) quickest.set(operation, Math.min(quickest.get(operation) ?? Infinity, took))
    const alone = quickest.get(operation) ?? Infinity
    const crowded = inside.length >= most
    if (took > Math.max(reply_ms * much, alone * behindOthers)) {
      if (sent < fewerSince) return
      most = Math.max(1, Math.floor(Math.min(most, inside.length) / 2))
      fewerSince = clock.now()
    } else if (served && crowded && took < Math.max(reply_ms * little, alone * alike)) most += 1
  }

  function take(asker: string, operation: string): Place {
    inside.push(asker)
    const sent = clock.now()
    return {
      leave: (served) => {
        learn(operation, sent, served)
        inside.splice(inside.indexOf(asker), 1)
        for (const [go, next] of waiting) {
          if (mayEnter(next.asker) && waiting.delete(go)) go(take(next.asker, next.operation))
        }
      },
    }
  }

  const mayEnter = (asker: string): boolean => inside.length < most || inside.includes(asker)

  return {
    async enter(asker, operation, signal) {
      if (mayEnter(asker)) return take(asker, operation)
      const { promise, resolve } = Promise.withResolvers<Place>()
      waiting.set(resolve, { asker, operation })
      try {
        await orAborted(promise, signal)
      } catch (error) {
        // Its turn came at the same moment.
        if (!waiting.delete(resolve)) (await promise).leave(false)
        throw error
      }
      return promise
    },
  }
}
