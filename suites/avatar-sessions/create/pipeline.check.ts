import { keyOf } from '#scenario/author/key-of'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, CreateOptions } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { textChat, videoAvatar } from '../bodies.ts'
import { changed } from '../change.ts'
import { type Pack, sendPack } from './pack.ts'
import { pipelinePieces, pipelineRefusals } from './pipeline-pieces.ts'
import { type Ground, type Refusal, sendRefusal } from './refusal.ts'
import { tryCreate } from './send.ts'
import { vouched } from './video-pieces.ts'

const voiceRow: RequirementId = 'avatar-sessions.pipeline.tts-voice-accepted'
const asrRow: RequirementId = 'avatar-sessions.pipeline.asr-config-optional'
const rows = [
  ...pipelinePieces({ base_url: '', keys: {} }).flatMap((piece) => piece.rows),
  ...pipelineRefusals.flatMap((refusal) => refusal.rows),
]

/**
 * What a pipeline configuration may hold and must not hold. A listed voice is usable; which others are is not shown, so
 * that without one everything counts only where the target takes an invented one.
 */
export const createPipeline: Scenario = {
  id: 'avatar-sessions.create-pipeline',
  proves: [voiceRow, asrRow, ...rows],
  price: { requests: { other_workspace: 22 }, typical: 18, sessions: { other_workspace: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'other_workspace')
    const listed = await listedVoice(context, key)
    const soft = listed === undefined
    const base = changed(textChat(), {
      set: { '/pipeline_config/tts_config/tts_voice_id': listed ?? 'narrator' },
    })
    const exchange = context.exchange()
    const twin = accepted(exchange)
    const choice = { given: [twin], given_code: 'model_choice' } as const
    context.claim(voiceRow, twin, soft ? choice : {})
    context.claim(asrRow, twin, soft ? choice : { given: [twin] })
    if (!(await send(context, base, { exchange, key }))) {
      // The rest can't be tried; a listed voice that is refused stands in its way, an invented one need not be taken.
      for (const row of rows) context.claim(row, twin, soft ? choice : { given: [twin] })
      return
    }
    const pack = await sendPack(context, { base: inVideo(context, base), pieces: pipelinePieces(context.profile), key })
    for (const refusal of pipelineRefusals) {
      const ground = groundOf(refusal, pack) ?? { body: base, twin, soft }
      await sendRefusal(context, refusal, ground, key)
    }
  },
}

/** The pieces, and the faults beside them, are tried in video where nothing stands in its way; the voice alone in text. */
function inVideo(context: Context, base: JsonObject): JsonObject {
  if (!context.offers('video') || !vouched(context.profile)) return base
  return { ...base, ...videoAvatar(context.profile), session: { mode: 'video_avatar' } }
}

/** Undefined where the refusal is about the voice alone. What it stands beside otherwise, a service may refuse. */
function groundOf({ on = '' }: Refusal, { taken, bodies }: Pack): Ground | undefined {
  const [twin, body] = [taken.get(on), bodies.get(on)]
  return twin === undefined || body === undefined ? undefined : { twin, body, soft: true }
}

async function send(
  context: Context,
  body: JsonObject,
  options: Required<Pick<CreateOptions, 'exchange' | 'key'>>,
): Promise<boolean> {
  const session = await tryCreate(context, body, options)
  if (session !== undefined) await context.close(session)
  return session !== undefined
}

async function listedVoice(context: Context, key: KeyName): Promise<string | undefined> {
  if (!context.offers('voices')) return undefined
  const answer = await context.call('list-voices', { key })
  const voices: Json | undefined = at(answer.data, '/voices')
  const ids = Array.isArray(voices) ? voices.map((voice: Json) => at(voice, '/voice_id')) : []
  return ids.find((id): id is string => typeof id === 'string' && id !== '')
}
