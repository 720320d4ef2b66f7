import type { Exchange } from '#client/types'
import { acceptance, outcome, type Terms } from '#scenario/author/expectation'
import { waitForRateBudget } from '#scenario/author/rate-budget'
import { isFull } from '#scenario/author/retry-transient'
import { step } from '#scenario/author/step'
import type { KeyName } from '#spec/profile'
import type { Operand } from '#trace/claim'
import { accepted, answer, different, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'

const oneSession = 'characters.session.concurrent-one-session'
const sessionIn = (exchange: number): Operand => answer(exchange, '/data/session_id')

const volley = step([oneSession], async (c, body: JsonObject, key: KeyName): Promise<readonly Exchange[]> => {
  const numbers = [c.exchange(), c.exchange(), c.exchange()]
  const [one = 0, two = 0, three = 0] = numbers
  for (const [left, right] of [
    [one, two],
    [one, three],
    [two, three],
  ] as const) {
    c.claim(oneSession, equals(sessionIn(left), sessionIn(right)), { onlyIf: [accepted(left), accepted(right)] })
  }
  return Promise.all(
    numbers.map((exchange) => c.call('create-session-from-character', { exchange, key, body, retry: 'never' })),
  )
})

/** Three starts at once with one key, then one more. What the losers are told is left open; a full workspace is waited out. */
export const race = step([oneSession], async (c, character_id: string, key: KeyName) => {
  for (let pause = 500; ; pause *= 2) {
    const body = { character_id, idempotency_key: c.id('volley') }
    await waitForRateBudget(c, key, 3)
    const answers = await volley(c, body, key)
    const won = answers.find(({ ok }) => ok)
    if (won === undefined && answers.some(isFull) && pause <= 8_000) {
      await c.wait(pause, 'quota')
      continue
    }
    // At the concurrency limit a repeated start may be told so.
    const room = (last: number): Terms => ({ onlyIf: [different(answer(last, '/code'), value(30006))] })
    const isSame = won && ((last: number) => equals(sessionIn(won.exchange), sessionIn(last)))
    const expect = [acceptance(oneSession, room), ...(isSame === undefined ? [] : [outcome(oneSession, isSame, room)])]
    const received = await c.call('create-session-from-character', { key, body, expect })
    const sessions = new Map(
      [...answers, received].flatMap((one) => (one.ok ? [[c.adopt(one, key).id, one] as const] : [])),
    )
    for (const one of sessions.values()) await c.close(c.adopt(one, key))
    return
  }
})
