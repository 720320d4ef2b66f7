import type { Exchange } from '../../src/client/types.ts'
import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import { answer, any, equals, rejected, value } from '../../src/trace/conditions.ts'
import { lightChat, textChat } from './bodies.ts'
import { enter, type Floor, full, look } from './floor.ts'

/** Sessions that are tried where the profile does not tell the cap. */
const undeclared = 12

export interface Filling {
  readonly key: KeyName
  /** From the profile. */
  readonly cap: number | undefined
  /** Rows that hold when `text_chat` sessions meet the cap. */
  readonly rows: readonly RequirementId[]
}

/** A workspace with no free place. */
export interface FullFloor extends Floor {
  /** The create that found it full. */
  readonly refusal: Exchange
  readonly refused: string
  /** Nobody else holds a place: what happens here is our doing. */
  readonly alone: boolean
}

/**
 * Opens `text_chat` sessions one by one until one is refused; every other one by the lightweight model where it is offered,
 * but not the one that should find no place. @throws Blocked when none is, or for another reason
 */
export async function fill(context: Context, { key, cap, rows }: Filling): Promise<FullFloor> {
  const numbers = Array.from({ length: (cap ?? undeclared) + 1 }, () => context.exchange())
  const [twin = 0, ...further] = numbers
  const met = any(...further.map((exchange) => equals(answer(exchange, '/code'), value(full))))
  const options = cap === undefined ? ({ given: [met], given_code: 'model_choice' } as const) : {}
  for (const row of rows) {
    context.claim(row, any(...further.map((exchange) => rejected(exchange, twin, [full]))), options)
  }
  const first = await context.create(textChat(context.id('place')), { key, exchange: twin })
  const floor: Floor = { context, key, twin, open: [first], made: new Set([first.id]), form: new Map(), shy: false }
  for (const [place, exchange] of further.entries()) {
    if (place % 2 === 0 && place < further.length - 1 && (await enterLight(floor, exchange))) continue
    const refused = context.id('place')
    const refusal = await enter(floor, textChat(refused), exchange)
    if (refusal.ok) continue
    assertFull(context, refusal)
    return { ...floor, refusal, refused, alone: (await look(floor)) === 'alone' }
  }
  return context.block('model_choice', `no create was refused within ${numbers.length} sessions`)
}

/** @returns false where nothing came of it: the usual body then goes out under the same number, and tells why */
async function enterLight(floor: Floor, exchange: number): Promise<boolean> {
  const { context } = floor
  if (!context.offers('lite_model')) return false
  return (await enter(floor, lightChat(context.id('place')), exchange)).ok
}

/** A body that was accepted a moment ago is refused for want of a place, whatever the code says; but for the weather. */
function assertFull(context: Context, { code, status, failure }: Exchange): void {
  if (code === 10008) context.block('quota', 'the rate limit came before the cap')
  if (code === undefined) context.block('network', `a create got no answer (${failure ?? `HTTP ${status}`})`)
}
