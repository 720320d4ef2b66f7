import { pickKey } from '#scenario/author/pick-key'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { acceptance } from '#scenario/author/expectation'
import { mayLast } from '#scenario/author/lifetime'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { beginAndClose, needsCharacters, save, tryBegin } from '../acts.ts'
import { textCharacter } from '../bodies.ts'
import { acceptBoth, type Bench, refuseLate, setUp, validated } from './late.ts'

const part = 'characters.auto-close'
const disconnected = 'disconnected_timeout_seconds'
const idle = 'interaction_idle_timeout_seconds'

interface Timed {
  readonly rows: readonly RequirementId[]
  readonly seconds?: number
  readonly auto_close: JsonObject
}

/** Each bound from within, once alone and once as long as the session may last. */
const taken = [
  {
    rows: [`${part}.disconnected-timeout-0-accepted`, `${part}.interaction-idle-timeout-30-accepted`],
    auto_close: { [disconnected]: 0, [idle]: 30 },
  },
  {
    rows: [`${part}.disconnected-timeout-10-accepted`, `${part}.interaction-idle-timeout-0-accepted`],
    auto_close: { [disconnected]: 10, [idle]: 0 },
  },
  {
    rows: [
      `${part}.disconnected-timeout-equal-to-duration-accepted`,
      `${part}.interaction-idle-timeout-equal-to-duration-accepted`,
    ],
    seconds: 60,
    auto_close: { [disconnected]: 60, [idle]: 60 },
  },
] as const satisfies readonly Timed[]

const refused = [
  {
    rows: [`${part}.disconnected-timeout-9-refused`],
    auto_close: { [disconnected]: 9 },
  },
  {
    rows: [`${part}.disconnected-timeout-negative-refused`],
    auto_close: { [disconnected]: -1 },
  },
  {
    rows: [`${part}.interaction-idle-timeout-29-refused`],
    auto_close: { [idle]: 29 },
  },
  {
    rows: [`${part}.interaction-idle-timeout-negative-refused`],
    auto_close: { [idle]: -1 },
  },
  {
    rows: [`${part}.disconnected-timeout-above-duration-refused`],
    seconds: 60,
    auto_close: { [disconnected]: 61, [idle]: 0 },
  },
  {
    rows: [`${part}.interaction-idle-timeout-above-duration-refused`],
    seconds: 60,
    auto_close: { [disconnected]: 0, [idle]: 61 },
  },
] as const satisfies readonly Timed[]

const longest = {
  accepted: [`${part}.disconnected-timeout-3600-accepted`, `${part}.interaction-idle-timeout-3600-accepted`],
  refused: [`${part}.disconnected-timeout-3601-refused`, `${part}.interaction-idle-timeout-3601-refused`],
} as const

function bodyOf(c: Context, { seconds, auto_close }: Pick<Timed, 'seconds' | 'auto_close'>): JsonObject {
  const lasting = seconds === undefined ? {} : { max_duration_seconds: seconds }
  return { ...textCharacter(c, 'timed'), ...lasting, auto_close }
}

const unchanged = (body: JsonObject): JsonObject => body

/**
 * The maximum duration is not shown, so that 3600 counts only where a session may last as long, and does; with a duration
 * of 3601 the bound of the timeout is the only one that can bite.
 */
const sendLongest = step([...longest.accepted, ...longest.refused, validated], async (c, bench: Bench) => {
  const { key } = bench
  const [kept, begun, plain] = [c.exchange(), c.exchange(), c.exchange()]
  const mayBeRefused = any(accepted(begun), accepted(plain))
  const whole = { seconds: 3_601, auto_close: { [disconnected]: 3_600, [idle]: 3_600 } }
  const character_id = await save(c, bodyOf(c, whole), { exchange: kept, key })
  const ok = character_id !== undefined && (await beginAndClose(c, { character_id }, { exchange: begun, key }))
  const alone = ok ? undefined : await save(c, bodyOf(c, { seconds: 3_601, auto_close: {} }), { key })
  const session = alone === undefined ? undefined : await tryBegin(c, { character_id: alone }, { exchange: plain, key })
  if (session !== undefined) await c.close(session)
  const fits = ok || (session !== undefined && mayLast(session, 3_601))
  const expect = acceptance(longest.accepted, { onlyIf: [fits ? mayBeRefused : accepted(begun)] })
  for (const one of [kept, begun]) c.expect(expect, one)
  const beyond = [
    { [disconnected]: 3_601, [idle]: 0 },
    { [disconnected]: 0, [idle]: 3_601 },
  ]
  for (const [place, row] of longest.refused.entries()) {
    // Where no session lasts an hour, 3601 is above the maximum as well: refused for either reason.
    const body = bodyOf(c, { ...(fits ? { seconds: 3_601 } : {}), auto_close: beyond[place] ?? {} })
    const fault = { row, change: unchanged, again: true, ...(fits ? { mayBeRefused } : {}) } as const
    await refuseLate(c, bench, body, fault)
  }
})

const takenId = (place: number): string => `taken-${place}`

/**
 * What is left of it without all of these: a character that is saved and deleted. A replace is refused only beside one that
 * was taken; whoever asks for that row has all that are refused, and so the first that is taken.
 */
const optional: readonly Optional[] = eachRowOnce([
  ...taken.map(({ rows }, place): Optional => ({ id: takenId(place), rows, requests: 3 })),
  ...refused.map(
    ({ rows }): Optional => ({ id: rows[0], rows: [...rows, validated], requests: 2, needs: [takenId(0)] }),
  ),
  {
    id: 'longest',
    rows: [...longest.accepted, ...longest.refused, validated],
    requests: 8,
  },
])

/** "optional top-level `auto_close` (same schema as direct create; applies to sessions created later)" (4.2). */
export const autoClose = scenario({
  id: 'characters.auto-close',
  needs: needsCharacters,
  steps: [sendLongest],
  claims: [...taken, ...refused].flatMap(({ rows }) => [...rows]),
  price: { requests: { other_workspace: 54 }, typical: 31, sessions: { other_workspace: 1 } },
  optional,
  async drive(c) {
    const bench = await setUp(c, textCharacter(c, 'timed'), pickKey(c, 'other_workspace'), false)
    for (const [place, { rows, ...timed }] of taken.entries()) {
      if (!c.takes(takenId(place))) continue
      await acceptBoth(c, bench, bodyOf(c, timed), { rows, ...(place === 0 ? { kept: bench.replaced } : {}) })
    }
    for (const { rows, ...timed } of refused.filter((one) => c.takes(one.rows[0]))) {
      for (const row of rows) await refuseLate(c, bench, bodyOf(c, timed), { row, change: unchanged, again: true })
    }
    if (c.takes('longest')) await sendLongest(c, bench)
  },
})
