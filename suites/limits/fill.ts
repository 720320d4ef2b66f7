import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { isMishap } from '#spec/tables'
import type { Context, OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, any, different, equals, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { lightChat, textChat } from './bodies.ts'
import { closeOne, tryCreate, type Filled, type Floor, full, look, lookAtEach, lookOf, showsOpen } from './floor.ts'
import { gone } from './gone.ts'

/** Full is told by 30006, known cap or not. */
export const toldByFull = 'limits.concurrency.full-told-by-30006'

/** Sessions that are tried where the profile does not tell the cap. */
const undeclared = 12

export interface Filling<Row extends RequirementId> {
  readonly key: KeyName
  /** From the profile. */
  readonly cap: number | undefined
  /** Rows that hold when `text_chat` sessions meet the cap. */
  readonly rows: readonly Row[]
}

/** A workspace with no free place. */
export interface FullFloor extends Filled {
  readonly refused: string
  /** Nobody else holds a place: what happens here is our doing. */
  readonly alone: boolean
  /** As many sessions are open as the profile says that fit: full is told by 30006 alone. */
  readonly atCap: boolean
}

/**
 * Opens `text_chat` sessions one by one until one is refused; every other one by the lightweight model where it is offered,
 * but not the one that should find no place. @throws Blocked when none is, or for another reason
 */
export async function fill<Row extends RequirementId>(
  c: Context<Row | typeof toldByFull>,
  { key, cap, rows }: Filling<Row>,
): Promise<FullFloor> {
  const numbers = Array.from({ length: (cap ?? undeclared) + 1 }, () => c.exchange())
  const [positiveControl = 0, ...further] = numbers
  const met = any(...further.map((exchange) => equals(answer(exchange, '/code'), value(full))))
  const looks = numbers.map(() => lookOf(c))
  // Where nobody was refused, more than the cap are open only if all of them are.
  const proven = cap === undefined ? met : any(...further.map(isRefused), all(...looks.map(showsOpen)))
  c.claim(toldByFull, met, { given: [met], given_code: 'model_choice' })
  for (const row of rows) {
    c.claim(row, any(...further.map((exchange) => rejected(exchange, positiveControl, [full]))), {
      given: [proven],
      given_code: 'model_choice',
    })
  }
  const first = await c.create(textChat(c.id('place')), { key, exchange: positiveControl })
  const floor: Floor = {
    key,
    cap,
    positiveControl,
    open: [first],
    made: new Set([first.id]),
    form: new Map(),
    listed: new Set(),
    shy: false,
  }
  for (const [place, exchange] of further.entries()) {
    if (place % 2 === 0 && place < further.length - 1 && (await tryCreateLight(c, floor, exchange))) continue
    const refused = c.id('place')
    const refusal = await tryPastMoment(c, floor, textChat(refused), exchange)
    if (refusal.ok) continue
    assertFull(c, refusal)
    if (isMishap(refusal)) await assertForWant(c, floor, refusal)
    const atCap = cap !== undefined && floor.open.length >= cap
    if (!atCap && isOtherCause(refusal)) return tellOtherCause(c, floor, { code: refusal.code, exchange, cap })
    const fits = floor.open.length
    return { ...floor, refusal, refused, fits, alone: (await look(c, floor)) === 'alone', atCap }
  }
  if (cap !== undefined) await lookAtEach(c, floor, looks)
  return c.block('model_choice', `no create was refused within ${numbers.length} sessions`)
}

/**
 * Waits until a session that was closed is over.
 *
 * @returns whether its place is free then for sure: Get says so, nobody else is there, and of ours no more are open than fit
 *   beside another one, for a service may have ended one by itself (3.1) whose place another has by now
 */
export async function freesPlace(c: Context, floor: FullFloor, closed: OpenSession): Promise<boolean> {
  return (await gone(c, closed)) && floor.alone && floor.open.length < floor.fits
}

const isRefused = (exchange: number): Condition => different(answer(exchange, '/code'), value(0))

/** No capacity for now (30008), and a balance that is used up (10005), may come before any cap. */
export const otherCauses = [30008, 10005]

function isOtherCause({ code }: Exchange): boolean {
  return code !== undefined && otherCauses.includes(code)
}

/** Where the cap is not known, it may have been the cap: then 30006 should tell so. */
function tellOtherCause(
  c: Context<typeof toldByFull>,
  { open, positiveControl }: Floor,
  { code, exchange, cap }: Pick<Exchange, 'code'> & { readonly exchange: number; readonly cap: number | undefined },
): never {
  if (cap === undefined) {
    const told = equals(answer(exchange, '/code'), value(full))
    c.claim(toldByFull, told, { given: [accepted(positiveControl)] })
  }
  return c.block('model_choice', `${code} came when ${open.length} sessions were open`)
}

/** @returns false where nothing came of it: the usual body then goes out under the same number, and tells why */
async function tryCreateLight(c: Context, floor: Floor, exchange: number): Promise<boolean> {
  if (!c.offers('lite_model')) return false
  return (await tryCreate(c, floor, lightChat(c.id('place')), exchange)).ok
}

/** A body that was accepted a moment ago is refused for want of a place, whatever the code says; but for transport failures. */
function assertFull(c: Context, refusal: Exchange): void {
  const { code, status, failure } = refusal
  if (code === 10008) c.block('quota', 'the rate limit came before the cap')
  if (code === undefined) c.block('network', `a create got no answer (${failure ?? `HTTP ${status}`})`)
}

/** A create that fails may do so for a moment: so often it is sent again, until no moment lasts so long. */
const again = { times: 6, pause_ms: 5_500 }

async function tryPastMoment(c: Context, floor: Floor, body: JsonObject, exchange: number): Promise<Exchange> {
  let refusal = await tryCreate(c, floor, body, exchange)
  for (let time = 0; time < again.times && refusal.code !== undefined && isMishap(refusal); time += 1) {
    await c.wait(again.pause_ms, 'backoff')
    refusal = await tryCreate(c, floor, body, exchange)
  }
  return refusal
}

/** What fails for longer does so for want of a place where a create succeeds once there is one. */
async function assertForWant(c: Context, floor: Floor, { status, code }: Exchange): Promise<void> {
  const [oldest] = floor.open
  if (oldest === undefined) return
  await closeOne(c, floor, oldest)
  await gone(c, oldest)
  const answered = await tryCreate(c, floor, textChat(c.id('place')), c.exchange())
  if (!answered.ok) c.block('network', `the service failed over a create (HTTP ${status} with ${code})`)
}
