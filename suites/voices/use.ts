import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { Blocked } from '#scenario/author/blocked'
import type { Context } from '#scenario/author/context'
import { insist } from '#scenario/author/insist'
import { keyOf } from '#scenario/author/key-of'
import { accepted, any, rejected } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import type { Cloned } from './library.ts'

const usable: RequirementId = 'avatar-sessions.pipeline.tts-cloned-voice-accepted'
const foreign: RequirementId = 'voices.scope.other-workspace-cannot-use'

export const useRows: readonly RequirementId[] = [usable, foreign]

/** The least that a session needs (4.1), with a voice by its id alone where one is given. */
function textChat(tts_voice_id?: string): JsonObject {
  const plain = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
  return tts_voice_id === undefined ? plain : { ...plain, pipeline_config: { tts_config: { tts_voice_id } } }
}

/** "A cloned `voice_id` is passed unchanged" (4.3). A session that is refused with it must not be refused without. */
export async function useOwn(context: Context, voice: Cloned): Promise<void> {
  const [voiced, plain] = [context.exchange(), context.exchange()]
  context.claim(usable, accepted(voiced), { given: [any(accepted(voiced), accepted(plain))] })
  try {
    await context.close(await context.create(textChat(voice.id), { exchange: voiced }))
  } catch (error) {
    if (!(error instanceof Blocked) || error.code !== 'prerequisite') throw error
    await context.close(await context.create(textChat(), { exchange: plain }))
  }
}

/**
 * The same of a session that is started from a character; whether such a character can be saved is told elsewhere. One
 * that is refused must not be refused without the voice.
 */
export async function useInCharacter(context: Context, voice: Cloned): Promise<void> {
  const [saved, voiced, plain] = [context.exchange(), context.exchange(), context.exchange()]
  const sound = any(accepted(voiced), accepted(plain))
  context.claim(usable, accepted(voiced), { given: [accepted(saved), sound], given_code: 'model_choice' })
  const key = keyOf(context, 'same_workspace')
  const character_id = await save(context, textChat(voice.id), { exchange: saved, key })
  if (character_id === undefined || (await start(context, character_id, { exchange: voiced, key }))) return
  const other = await save(context, textChat(), { exchange: context.exchange(), key })
  if (other !== undefined) await start(context, other, { exchange: plain, key })
}

interface Sending {
  readonly exchange: number
  readonly key: KeyName
}

async function save(context: Context, body: JsonObject, sending: Sending): Promise<string | undefined> {
  const name = context.id('spoken')
  const { ok, data } = await context.call('create-character', { ...sending, body: { name, ...body } })
  const id = ok ? at(data, '/character_id') : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** @returns whether it was accepted; if so, it is closed again */
async function start(context: Context, character_id: string, sending: Sending): Promise<boolean> {
  try {
    const operation = 'create-session-from-character'
    await context.close(await context.create({ character_id }, { ...sending, operation }))
    return true
  } catch (error) {
    if (!(error instanceof Blocked) || error.code !== 'prerequisite') throw error
    return false
  }
}

/**
 * In another workspace the voice is none. Which voices a provider has is not shown, so a service may take any id at
 * creation; it counts only where one that nobody has is refused.
 */
export async function useForeign(context: Context, voice: Cloned): Promise<void> {
  const key = 'other_workspace'
  const [plain, theirs, nobodys] = [context.exchange(), context.exchange(), context.exchange()]
  const refused = rejected(theirs, plain)
  context.claim(foreign, refused, { given: [any(refused, rejected(nobodys, plain))], given_code: 'model_choice' })
  await context.close(await context.create(textChat(), { exchange: plain, key }))
  const answer = await attempt(context, voice.id, { exchange: theirs, key })
  if (!answer.ok) return
  await context.close(context.adopt(answer, key))
  const other = await attempt(context, `voice_${context.id('nobody')}`, { exchange: nobodys, key })
  if (other.ok) await context.close(context.adopt(other, key))
}

/** Whether a public voice needs more than its id is the service's choice. */
export async function usePublic(context: Context, voice_id: string): Promise<void> {
  const answer = await attempt(context, voice_id)
  if (answer.ok) await context.close(context.adopt(answer))
}

/** A workspace of few places may be full for a moment: that says nothing about the voice. */
function attempt(context: Context, tts_voice_id: string, sending: Partial<Sending> = {}): Promise<Exchange> {
  const body = { ...textChat(tts_voice_id), idempotency_key: context.id('create') }
  return insist(context, () => context.attempt(body, sending))
}
