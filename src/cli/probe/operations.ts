import type { Exchange, RestCall } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import { isObject, type Json } from '#trace/json'
import type { Ability, KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { AskTools } from './ask-target.ts'
import { isPassing, type Seen, toldBy } from './seen.ts'

/** Abilities that an operation of their own shows. */
export type OperationAbility = Extract<Ability, 'characters' | 'voices' | 'audio_files' | 'world_sessions'>

/**
 * One request each, none of which makes anything: lists, and creates that must be refused for what they lack (4.3: the
 * field `file`; 4.5: `model` and `initial_prompt`).
 */
const questions: { readonly [ability in OperationAbility]: readonly [OperationId, RestCall] } = {
  characters: ['list-characters', { query: { page_size: '1' } }],
  voices: ['list-voices', {}],
  audio_files: ['upload-audio', { multipart: [{ name: 'note', data: 'a form without a file' }] }],
  world_sessions: ['create-world-session', { body: {} }],
}

export const operationAbilities = Object.keys(questions) as readonly OperationAbility[]

export interface OperationSeen extends Seen {
  /** Of `voices`: how many were listed. */
  readonly listed?: number
  readonly answer: Exchange
}

/** Asks whether the target offers what an operation stands for. */
export async function seeOperation(
  context: AnyContext,
  ability: OperationAbility,
  key: KeyName,
  tools: AskTools,
): Promise<OperationSeen> {
  const [operation, call] = questions[ability]
  const answer = await context.call(operation, { ...call, key, retry: 'never' })
  const why = `${operation} was ${toldBy(answer, tools)}`
  const listed = ability === 'voices' && answer.ok ? countOf(answer.data) : undefined
  return {
    offered: isPassing(answer) ? undefined : isThere(answer),
    why,
    answer,
    ...(listed === undefined ? {} : { listed }),
  }
}

/** Codes by which an operation refuses a request for what it lacks (section 7): whoever says so, has it. */
const codesOfLack: ReadonlySet<number> = new Set([20003, 20004, 20006, 20008, 20009, 20010, 30004])

function isThere({ ok, code }: Exchange): boolean {
  return ok || (code !== undefined && codesOfLack.has(code))
}

function countOf(data: Json | undefined): number | undefined {
  const voices = isObject(data) ? data['voices'] : undefined
  return Array.isArray(voices) ? voices.length : undefined
}

/** Who made a voice is not told: of a list that is not empty nobody can say whether a public one is in it. */
export function publicVoices({ offered, listed }: Pick<OperationSeen, 'offered' | 'listed'>): Seen {
  if (offered === false) return { offered: false, why: 'there are no voices' }
  if (listed === undefined) return { offered: undefined, why: 'List Voices showed none' }
  if (listed === 0) return { offered: false, why: 'List Voices is empty' }
  return { offered: undefined, why: `List Voices shows ${listed}; whether one of them is public, you know best` }
}
