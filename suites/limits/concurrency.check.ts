import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { answer, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat, videoAvatar } from './bodies.ts'
import { characterRound, characterRows } from './character-round.ts'
import { type FullFloor, fill, otherCauses, toldByFull } from './fill.ts'
import { expireInPlace } from './expired-place.ts'
import { blameExcess, tryCreate, full, look } from './floor.ts'
import { freedRows, isFull, retryInFreedPlace } from './freed-place.ts'
import { volley, volleyRows } from './volley.ts'

const key = 'capped'
const exceeding: readonly RequirementId[] = ['limits.concurrency.exceeding-refused', 'errors.code-30006.cap-exceeded']
const text: RequirementId = 'limits.concurrency.text-chat-sessions-count'
const video: RequirementId = 'limits.concurrency.video-sessions-count'
/** More sessions than this are not opened, whatever the profile declares. */
const most = 30

/** Fills a workspace up to its cap, looks at what is refused there, frees places and fills them again. */
export const concurrency: Scenario = {
  id: 'limits.concurrency',
  needs: { keys: [key] },
  proves: [
    ...exceeding,
    toldByFull,
    text,
    video,
    ...freedRows,
    ...volleyRows,
    ...characterRows,
    'limits.concurrency.refused-create-makes-nothing',
    'errors.envelope.nonzero-code-is-failure',
    'errors.code-30006.status-429',
    'errors.code-30006.no-retry-after',
    'avatar-sessions.list.shows-sessions-that-hold-quota',
    'avatar-sessions.idempotency.after-429-one-session',
  ],
  price: { requests: { [key]: 53 }, typical: 37, sessions: { [key]: 1 }, waits: 16 },
  async drive(context: Context) {
    const declared = context.profile.limits?.[key]?.concurrent_sessions
    const cap = declared !== undefined && declared <= most ? declared : undefined
    const floor = await fill(context, { key, cap, rows: [...exceeding, text] })
    const waiting = await refuseAnother(floor)
    const [oldest] = floor.open
    await retryInFreedPlace(floor, waiting)
    if (oldest !== undefined) await closeAgain(floor, oldest)
    await refuseAgain(floor, waiting)
    await volley(floor)
    await characterRound(floor)
    await expireInPlace(floor)
  },
}

/** Another create at the cap, with List Sessions before and after. @returns a body that was refused for want of a place */
async function refuseAnother(floor: FullFloor): Promise<JsonObject> {
  const { context } = floor
  const seen = context.offers('video') ? videoAvatar(context.profile, context.id('video')) : undefined
  const body = seen ?? textChat(context.id('place'))
  const exchange = context.exchange()
  const answered = await tryCreate(floor, body, exchange)
  if (answered.ok) return overfull(floor, seen === undefined ? exceeding : [video], exchange)
  await look(floor)
  return isFull(answered) ? body : textChat(floor.refused)
}

/** One session frees one place, however often it is closed. */
async function closeAgain({ context }: FullFloor, { id }: OpenSession): Promise<void> {
  await context.call('close-avatar-session', { key, params: { session_id: id } })
}

/** With the freed place taken there is none left: what took it counts, and the code is that of the cap. */
async function refuseAgain(floor: FullFloor, taker: JsonObject): Promise<void> {
  const { context, refusal, positiveControl, atCap } = floor
  const exchange = context.exchange()
  const code = answer(exchange, '/code')
  const filled = 'output' in taker ? video : text
  context.claim(filled, rejected(exchange, positiveControl, [full]), {
    given: [equals(code, value(full))],
    given_code: 'model_choice',
  })
  if (!isFull(refusal)) {
    const given = [different(code, oneOf(0, 10008, ...(atCap ? [] : otherCauses)))]
    const rows = [...exceeding, toldByFull]
    for (const row of rows) context.claim(row, equals(code, value(full)), { given, given_code: 'model_choice' })
  }
  const answered = await tryCreate(floor, textChat(context.id('place')), exchange)
  if (answered.ok) await overfull(floor, [filled, ...exceeding], exchange)
}

/** More sessions are open than fitted before: somebody else has left, or something does not count. */
async function overfull(floor: FullFloor, rows: readonly RequirementId[], extra: number): Promise<never> {
  const { context, alone } = floor
  if (!alone) return context.block('quota', 'others use the workspace, too')
  await blameExcess(floor, rows, extra)
  return context.block('prerequisite', 'the cap is not what it seemed')
}
