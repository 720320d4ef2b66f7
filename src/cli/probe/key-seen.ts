import type { Exchange } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import { isKeyCode } from '#spec/code-groups'
import type { Ability, KeyName, Profile } from '#spec/profile'
import { offers } from '#spec/profile'
import { type OperationAbility, operationAbilities, type OperationSeen, seeOperation } from './operations.ts'
import type { AskTools } from './ask-target.ts'

/** How a key fared. */
export interface KeySeen {
  readonly accepted: boolean
  readonly why: string
}

/** Keys by which any operation may be asked for: what an ability answers to the others may be meant for the key. */
const able: readonly KeyName[] = ['same_workspace', 'other_workspace', 'rate_limited', 'capped']

export interface KeysSeen {
  readonly keys: Map<KeyName, KeySeen>
  readonly abilities: Map<Ability, OperationSeen>
}

/**
 * One request with each key but `primary`, which has been answered already; those that may, ask for an ability by the
 * way. What abilities are left are asked for with `primary`.
 *
 * @param reserved requests that have to be left
 */
export async function seeKeys(context: AnyContext, tools: AskTools, reserved: number): Promise<KeysSeen> {
  const seen: KeysSeen = { keys: new Map(), abilities: new Map() }
  const left = offeredFirst(context.profile)
  const others = tools.keys.filter((name) => name !== 'primary')
  for (const key of others) {
    const ability = able.includes(key) ? left.shift() : undefined
    if (ability === undefined) {
      seen.keys.set(key, keySeen(await context.call('list-avatar-sessions', { key, retry: 'never' })))
      continue
    }
    const answer = await seeOperation(context, ability, key, tools)
    seen.keys.set(key, keySeen(answer.answer))
    // An invalid key says nothing of what is offered.
    if (isKeyCode(answer.answer.code)) left.unshift(ability)
    else seen.abilities.set(ability, answer)
  }
  for (const ability of left.slice(0, Math.max(0, tools.left() - reserved))) {
    seen.abilities.set(ability, await seeOperation(context, ability, 'primary', tools))
  }
  return seen
}

/** What the profile declares away is asked for last. */
function offeredFirst(profile: Profile): OperationAbility[] {
  return operationAbilities.toSorted((a, b) => Number(offers(profile, b)) - Number(offers(profile, a)))
}

function keySeen({ code, status, failure }: Exchange): KeySeen {
  if (failure !== undefined) return { accepted: false, why: `no reply (${failure})` }
  if (code === undefined) return { accepted: false, why: `HTTP ${status} without an envelope` }
  if (isKeyCode(code)) return { accepted: false, why: `refused with ${code}` }
  return { accepted: true, why: code === 0 ? 'accepted' : `accepted; what was asked with it was refused with ${code}` }
}
