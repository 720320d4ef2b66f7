import { allowedPerWindow } from '#client/pace/pace'
import type { KeyName, Profile } from '#spec/profile'
import type { Scenario } from '../author/scenario.ts'
import { standIn } from '../runner/slots.ts'
import { aroundOf, expectedOf, paceOf } from './plan.ts'
import type { LeftOut } from './selection.ts'

type ByKey = { [name in KeyName]?: number }

/** What a run is expected to take on a healthy target, as `--dry-run` foretells it. */
export interface Outlay {
  /** REST requests over all keys, and those without one. */
  readonly requests: number
  readonly by_key: Readonly<ByKey>
  readonly seconds: number
}

/** A key sends what it may at once, and goes on when the first of it is so long ago. */
const window_s = 61
/** From the start of the program until the first request, and from the last one until its end. */
export const aroundSeconds = 6
/** Each of the requests that go out at once, a few of them side by side. */
const secondsEach = 0.05

/** How many more requests may be needed: another look at what takes its time must not cost another minute. */
const spareOf = (count: number): number => 3 + Math.ceil(count * 0.02)

/** @param left_out what the scenarios leave out of their optional requests */
export function outlayOf(selected: readonly Scenario[], left_out: LeftOut, profile: Profile): Outlay {
  const around = selected.length === 0 ? 0 : aroundOf(selected, profile)
  const by_key: ByKey = around === 0 ? {} : { primary: around }
  let requests = around
  for (const scenario of selected) {
    const price = priceOf(scenario, left_out, profile)
    requests += price.requests
    for (const [key, count] of Object.entries(price.by_key) as [KeyName, number][]) {
      by_key[key] = (by_key[key] ?? 0) + count
    }
  }
  return { requests, by_key, seconds: secondsOf(by_key, requests, selected, profile) }
}

/** What one scenario is expected to send, by the keys that are really used. */
export function priceOf(scenario: Scenario, left_out: LeftOut, profile: Profile): Pick<Outlay, 'requests' | 'by_key'> {
  const requests = expectedOf(scenario, left_out)
  const most: ByKey = {}
  for (const [key, count] of Object.entries(scenario.price.requests) as [KeyName, number][]) {
    const own = standIn(profile, key)
    most[own] = (most[own] ?? 0) + count
  }
  const by_key = Object.fromEntries(Object.entries(most).map(([key, count]) => [key, Math.min(count, requests)]))
  return { requests, by_key }
}

/** Keys have their own pace each, so the slowest decides; what a scenario waits for may come in the last of its minutes. */
function secondsOf(by_key: Readonly<ByKey>, requests: number, selected: readonly Scenario[], profile: Profile): number {
  const paced = (Object.entries(by_key) as [KeyName, number][]).map(([key, count]) => {
    const allowed = allowedPerWindow(paceOf(profile, key))
    return Math.floor(Math.max(0, count - 1 + spareOf(count)) / allowed) * window_s
  })
  const waits = selected.map(({ price }) => price.waits ?? 0)
  return Math.ceil(aroundSeconds + Math.max(0, ...paced) + Math.max(0, ...waits) + requests * secondsEach)
}
