import { expect, test } from 'vitest'
import { createPace } from '#client/pace/pace'
import type { Scenario } from '#scenario/author/scenario'
import { sideBySide } from '#scenario/plan/plan'
import type { Profile } from '#spec/profile'
import type { Entry } from '#trace/entry'
import { RunState } from './run-state.ts'
import { type Planned, secondsLeft } from './time-left.ts'

/** What takes its time goes by in the order in which it is over, and nothing else does. */
function simulatedClock() {
  const waiting: { readonly until: number; readonly go: () => void }[] = []
  const clock = {
    time: 0,
    now: () => clock.time,
    sleep: (ms: number) => new Promise<void>((go) => void waiting.push({ until: clock.time + ms, go })),
    /** Lets time pass until nobody sleeps any more. */
    run: async () => {
      for (;;) {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
        const [next] = waiting.toSorted((one, other) => one.until - other.until)
        if (next === undefined) return
        waiting.splice(waiting.indexOf(next), 1)
        clock.time = Math.max(clock.time, next.until)
        next.go()
      }
    },
  }
  return clock
}

/** Conversations, which send little and take long, and then what sends much. */
function conversations(count: number): readonly Scenario[] {
  return Array.from({ length: count }, (_, nth) => ({
    id: `channel.s${nth}`,
    proves: [],
    price: { requests: { primary: 2 } },
    drive: () => Promise.resolve(),
  }))
}

function scenarios(count: number): readonly Scenario[] {
  return Array.from({ length: count }, (_, nth) => ({
    id: `part.s${nth}`,
    proves: [],
    price: { requests: { primary: 2 + ((nth * 7) % 25) } },
    drive: () => Promise.resolve(),
  }))
}

/** What such a run writes into its trace: scenarios side by side, each request with its answer after `answerMs`. */
async function recordRun(all: readonly Scenario[], profile: Profile, answerMs: number): Promise<readonly Entry[]> {
  const clock = simulatedClock()
  const pace = createPace(profile.limits ?? {}, clock)
  const entries: Entry[] = []
  const queue = [...all]
  let exchange = 0
  const drive = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      entries.push({ kind: 'scenario-start', t: clock.time, scenario: one.id })
      for (let count = 0; count < (one.price.requests.primary ?? 0); count += 1) {
        const ms = await pace.turn('primary', undefined)
        if (ms > 50) entries.push({ kind: 'wait', t: clock.time, scenario: one.id, why: 'pace', ms })
        exchange += 1
        const number = { exchange, attempt: 1 }
        const sent = { operation: null, method: 'GET', path: '/', key: 'primary', headers: {} }
        entries.push({ kind: 'request', t: clock.time, scenario: one.id, ...number, ...sent })
        await clock.sleep(answerMs)
        const answer = { status: 200, http_version: '1.1', headers: {}, body: { code: 0 }, bytes: 1 }
        entries.push({ kind: 'response', t: clock.time, scenario: one.id, ...number, ...answer })
      }
      // What a conversation takes on its channel.
      if (one.id.startsWith('channel.')) await clock.sleep(12_000)
      entries.push({ kind: 'scenario-end', t: clock.time, scenario: one.id, outcome: 'completed' })
    }
  }
  const driven = Promise.all(Array.from({ length: sideBySide(profile) }, drive))
  await clock.run()
  await driven
  return entries
}

test.each([
  ['at 60 requests a minute on one key', 60, 80, scenarios(80)],
  ['at 20 requests a minute', 20, 200, scenarios(80)],
  ['on a target without a limit that answers late', 60_000, 900, scenarios(80)],
  ['with long conversations before what sends much', 60, 80, [...conversations(20), ...scenarios(50)]],
] as const)('from the middle of a run on, the time left is right within a quarter: %s', async (...one) => {
  const [, perMinute, answerMs, all] = one
  const profile = {
    base_url: 'https://a.example',
    keys: { primary: 'K' },
    limits: { primary: { requests_per_minute: perMinute } },
  }
  const planned: Planned = { scenarios: all, left_out: {}, profile, requests: 0 }
  const entries = await recordRun(all, profile, answerMs)
  const over = entries.at(-1)?.t ?? 0
  const state = new RunState()
  const wrong: string[] = []
  let next = 0
  for (let now = 0; now < over; now += 1_000) {
    for (let entry = entries[next]; entry !== undefined && entry.t <= now; entry = entries[next]) {
      state.take(entry)
      next += 1
    }
    const [told, left] = [secondsLeft(state, planned, now), (over - now) / 1_000]
    // Ending what was made, and judging, comes after the last entry.
    if (now > over / 2 && Math.abs(told - 2 - left) > Math.max(left / 4, 5)) wrong.push(`${now}: ${told} for ${left}`)
  }
  expect(entries.length).toBeGreaterThan(600)
  expect(wrong).toEqual([])
})
