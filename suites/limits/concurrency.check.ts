import type { Context, OpenSession } from '#scenario/author/context'
import type { Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { answer, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat, videoAvatar } from './bodies.ts'
import { characterRound } from './character-round.ts'
import { type FullFloor, fill, otherCauses, toldByFull } from './fill.ts'
import { expireInPlace } from './expired-place.ts'
import { blameExcess, tryCreate, full, look } from './floor.ts'
import { freeWhenClosed, holdsNothing, isFull, retryInFreedPlace } from './freed-place.ts'
import { besideWorlds } from './placeless.ts'
import { volley } from './volley.ts'

const key = 'capped'
const exceeding = ['limits.concurrency.exceeding-refused', 'errors.code-30006.cap-exceeded'] as const
const text = 'limits.concurrency.text-chat-sessions-count'
const video = 'limits.concurrency.video-sessions-count'
/** Rows that a create beyond the cap goes against. */
type Exceeded = (typeof exceeding)[number] | typeof text | typeof video
/** More sessions than this are not opened, whatever the profile declares. */
const most = 30

/** More sessions are open than fitted before: somebody else has left, or something does not count. */
async function overfull(
  c: Context<Exceeded>,
  floor: FullFloor,
  rows: readonly Exceeded[],
  extra: number,
): Promise<never> {
  if (!floor.alone) return c.block('quota', 'others use the workspace, too')
  await blameExcess(c, floor, rows, extra)
  return c.block('prerequisite', 'the cap is not what it seemed')
}

/** Another create at the cap, with List Sessions before and after. @returns a body that was refused for want of a place */
const refuseAnother = step([...exceeding, text, video], async (c, floor: FullFloor): Promise<JsonObject> => {
  const seen = c.offers('video') ? videoAvatar(c.profile, c.id('video')) : undefined
  const body = seen ?? textChat(c.id('place'))
  const exchange = c.exchange()
  const answered = await tryCreate(c, floor, body, exchange)
  if (answered.ok) return overfull(c, floor, seen === undefined ? exceeding : [video], exchange)
  await look(c, floor)
  return isFull(answered) ? body : textChat(floor.refused)
})

/** One session frees one place, however often it is closed. */
async function closeAgain(c: Context, { id }: OpenSession): Promise<void> {
  await c.call('close-avatar-session', { key, params: { session_id: id } })
}

/** With the freed place taken there is none left: what took it counts, and the code is that of the cap. */
const refuseAgain = step(
  [...exceeding, toldByFull, text, video],
  async (c, floor: FullFloor, taker: JsonObject): Promise<void> => {
    const { refusal, positiveControl, atCap } = floor
    const exchange = c.exchange()
    const code = answer(exchange, '/code')
    const filled = 'output' in taker ? video : text
    c.claim(filled, rejected(exchange, positiveControl, [full]), {
      given: [equals(code, value(full))],
      given_code: 'model_choice',
    })
    if (!isFull(refusal)) {
      const given = [different(code, oneOf(0, 10008, ...(atCap ? [] : otherCauses)))]
      const rows = [...exceeding, toldByFull] as const
      for (const row of rows) c.claim(row, equals(code, value(full)), { given, given_code: 'model_choice' })
    }
    const answered = await tryCreate(c, floor, textChat(c.id('place')), exchange)
    if (answered.ok) await overfull(c, floor, [filled, ...exceeding], exchange)
  },
)

/** What is left of it without all of these: a full workspace, one create too many, and a place that is freed and taken again. */
const optional: readonly Optional[] = [
  { id: 'closed-again', rows: [], also: exceeding, requests: 1 },
  { id: 'volley', rows: volley.claims, requests: 8 },
  {
    id: 'characters',
    rows: ['limits.concurrency.character-sessions-count', 'characters.create.holds-no-quota'],
    also: [
      'errors.code-30006.cap-exceeded',
      'errors.code-30006.status-429',
      'errors.code-30006.no-retry-after',
      'limits.concurrency.refused-create-makes-nothing',
      holdsNothing,
    ],
    requests: 11,
  },
  { id: besideWorlds, rows: ['limits.concurrency.world-sessions-take-no-place'], requests: 2, needs: ['characters'] },
  { id: 'expired', rows: [], also: [freeWhenClosed], requests: 8 },
]

/** Fills a workspace up to its cap, looks at what is refused there, frees places and fills them again. */
export const concurrency = scenario({
  id: 'limits.concurrency',
  needs: { keys: [key] },
  steps: [refuseAnother, refuseAgain, retryInFreedPlace, volley, characterRound, expireInPlace],
  claims: [...exceeding, toldByFull, text],
  observes: [
    'limits.concurrency.refused-create-makes-nothing',
    'errors.envelope.nonzero-code-is-failure',
    'errors.code-30006.status-429',
    'errors.code-30006.no-retry-after',
    'avatar-sessions.list.shows-sessions-that-hold-quota',
    'avatar-sessions.idempotency.after-429-one-session',
  ],
  price: { requests: { [key]: 63 }, typical: 41, sessions: { [key]: 1 }, waits: 16 },
  optional,
  async drive(c) {
    const declared = c.profile.limits?.[key]?.concurrent_sessions
    const cap = declared !== undefined && declared <= most ? declared : undefined
    const floor = await fill(c, { key, cap, rows: [...exceeding, text] })
    const waiting = await refuseAnother(c, floor)
    const [oldest] = floor.open
    await retryInFreedPlace(c, floor, waiting)
    if (oldest !== undefined && c.takes('closed-again')) await closeAgain(c, oldest)
    await refuseAgain(c, floor, waiting)
    if (c.takes('volley')) await volley(c, floor)
    if (c.takes('characters')) await characterRound(c, floor)
    if (c.takes('expired')) await expireInPlace(c, floor)
  },
})
