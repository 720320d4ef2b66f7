import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { Blocked } from '#scenario/author/blocked'
import { textChat } from '#scenario/author/bodies'
import type { Context, CreateOptions } from '#scenario/author/context'
import { outcome } from '#scenario/author/expectation'
import { retryTransient } from '#scenario/author/retry-transient'
import { either, twoLooks } from '#scenario/author/look-twice'
import { pickKey } from '#scenario/author/pick-key'
import { step } from '#scenario/author/step'
import { unissued } from '#scenario/author/unissued'
import { accepted, any, rejected } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import type { Cloned } from './library.ts'

/** A session with a voice by its id alone. */
const voiced = (tts_voice_id: string) => textChat({ pipeline_config: { tts_config: { tts_voice_id } } })

const usable = 'avatar-sessions.pipeline.tts-cloned-voice-accepted'

/**
 * "A cloned `voice_id` is passed unchanged" (4.3). A session that is refused with it must not be refused without. Its
 * provider may know it a moment later than the library.
 */
export const useOwn = step([usable], async (c, voice: Cloned) => {
  const [looks, plain] = [twoLooks(c), c.exchange()]
  const own = either(looks, accepted)
  c.claim(usable, own, { given: [any(own, accepted(plain))] })
  if (await start(c, voiced(voice.id), { exchange: looks[0] })) return
  await c.close(await c.create(textChat(), { exchange: plain }))
  await c.wait(c.timeouts.lag_ms, 'lag')
  await start(c, voiced(voice.id), { exchange: looks[1] })
})

/**
 * The same of a session that is started from a character; whether such a character can be saved is told elsewhere. One
 * that is refused must not be refused without the voice.
 */
export const useInCharacter = step([usable], async (c, voice: Cloned) => {
  const key = pickKey(c, 'same_workspace')
  const operation = 'create-session-from-character'
  const [saved, looks, plain] = [c.exchange(), twoLooks(c), c.exchange()]
  const own = either(looks, accepted)
  c.claim(usable, own, { onlyIf: [accepted(saved), any(own, accepted(plain))] })
  const character_id = await save(c, voiced(voice.id), { exchange: saved, key })
  // The voice is "passed unchanged": it stands in what is read as in what was saved.
  if (character_id !== undefined) await c.call('get-character', { key, params: { character_id } })
  if (character_id === undefined || (await start(c, { character_id }, { exchange: looks[0], key, operation }))) return
  const other = await save(c, textChat(), { key })
  if (other !== undefined) await start(c, { character_id: other }, { exchange: plain, key, operation })
  await c.wait(c.timeouts.lag_ms, 'lag')
  await start(c, { character_id }, { exchange: looks[1], key, operation })
})

async function save(c: Context, body: JsonObject, call: RestCall): Promise<string | undefined> {
  const { ok, data } = await c.call('create-character', { ...call, body: { name: c.id('spoken'), ...body } })
  return ok ? textAt(data, '/character_id') : undefined
}

/** @returns whether it was accepted; if so, it is closed again */
async function start<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  options: CreateOptions<Row>,
): Promise<boolean> {
  try {
    await c.close(await c.create(body, options))
    return true
  } catch (error) {
    if (!(error instanceof Blocked) || error.code !== 'prerequisite') throw error
    return false
  }
}

const foreign = 'voices.scope.other-workspace-cannot-use'

/**
 * In another workspace the voice is none. Which voices a provider has is not shown, so a service may take any id at
 * creation, or any that looks like one of its own; it counts only where one of the same form that nobody has is refused.
 */
export const useForeign = step([foreign], async (c, voice: Cloned) => {
  const key = 'other_workspace'
  const [plain, nobodys] = [c.exchange(), c.exchange()]
  const theirs = c.expect(
    outcome(
      foreign,
      (exchange) => rejected(exchange, plain),
      (exchange) => ({ onlyIf: [any(rejected(exchange, plain), rejected(nobodys, plain))] }),
    ),
  )
  await c.close(await c.create(textChat(), { exchange: plain, key }))
  const { id, alike } = unissued(voice.id)
  const isTaken = await tried(c, voice.id, { exchange: theirs, key })
  if (isTaken && alike) await tried(c, id, { exchange: nobodys, key })
})

/** Whether a public voice needs more than its id is the service's choice. */
export async function usePublic(c: Context, voice_id: string): Promise<void> {
  await tried(c, voice_id)
}

/** A workspace of few places may be full for a moment: that says nothing about the voice. @returns whether it was taken */
async function tried(c: Context, voice_id: string, call: { exchange?: number; key?: KeyName } = {}): Promise<boolean> {
  const body = { ...voiced(voice_id), idempotency_key: c.id('create') }
  const answer = await retryTransient(c, () => c.attempt(body, call))
  if (answer.ok) await c.close(c.adopt(answer, call.key))
  return answer.ok
}
