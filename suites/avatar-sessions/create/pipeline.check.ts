import { pickKey } from '#scenario/author/pick-key'
import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { acceptance, rowsOfRefusals, type Terms } from '#scenario/author/expectation'
import { eachRowOnce, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { countsOnVideo, textChat, videoAvatar } from '#scenario/author/bodies'
import { changed } from '../change.ts'
import { type CreateBundlePlan, groundOf, sendCreateBundle } from './bundle.ts'
import { pipelineOptions, pipelineRefusals } from './pipeline-options.ts'
import { sendRefusal } from './refusal.ts'
import type { CreateRow } from './rows.ts'
import { isTaken } from './send.ts'

const voiceRow = 'avatar-sessions.pipeline.tts-voice-accepted'
const asrRow = 'avatar-sessions.pipeline.asr-config-optional'
const optionRows = pipelineOptions({ base_url: '', keys: {} }).flatMap((option) => option.rows)
const rows: readonly CreateRow[] = [...optionRows, ...rowsOfRefusals(pipelineRefusals)]

/**
 * What a pipeline configuration may hold and must not hold. A listed voice is usable; which others are is not shown, so
 * that without one everything counts only where the target takes an invented one.
 */
export const createPipeline = scenario({
  id: 'avatar-sessions.create-pipeline',
  claims: [voiceRow, asrRow, ...rows],
  price: { requests: { other_workspace: 22 }, typical: 18, sessions: { other_workspace: 1 } },
  optional: eachRowOnce([
    ...refusalsNeeding(({ on }) => (on === undefined ? [] : ['options']), pipelineRefusals),
    { id: 'options', rows: optionRows, requests: 2 },
  ]),
  async drive(c) {
    const key = pickKey(c, 'other_workspace')
    const listed = await listedVoice(c, key)
    const mayBeRefused = listed === undefined
    const body = changed(textChat(), {
      set: { '/pipeline_config/tts_config/tts_voice_id': listed ?? 'narrator' },
    })
    const exchange = c.exchange()
    const control = accepted(exchange)
    const terms: Terms = mayBeRefused ? { onlyIf: [control] } : { given: [control] }
    const expect = [acceptance(voiceRow, mayBeRefused ? terms : {}), acceptance(asrRow, terms)]
    if (!(await isTaken(c, body, { exchange, key, expect }))) {
      // The rest can't be tried; a listed voice that is refused stands in its way, an invented one need not be taken.
      c.expect(acceptance(rows, terms), exchange)
      return
    }
    const options = { ...groundFor(c, body), options: pipelineOptions(c.profile), key }
    const bundle = c.takes('options') ? await sendCreateBundle(c, options) : undefined
    for (const refusal of sentOf(c, pipelineRefusals)) {
      // What a fault stands beside there, a service may refuse; other faults are about the voice alone.
      const ground = groundOf(refusal, bundle === undefined ? [] : [bundle])
      const own = ground === undefined ? { body, control, mayBeRefused } : { ...ground, mayBeRefused: true }
      await sendRefusal(c, refusal, own, key)
    }
  },
})

/**
 * The options, and the faults beside them, are tried in video where nothing stands in its way; the voice alone in text. A
 * model may lack the picture that is asked for (30004), which is no fault of theirs: then they are tried in text, too.
 */
function groundFor(context: Context, base: JsonObject): Pick<CreateBundlePlan, 'base' | 'instead'> {
  if (!countsOnVideo(context.profile)) return { base }
  const video = { ...videoAvatar(context.profile), session: { mode: 'video_avatar' } }
  return { base: { ...base, ...video }, instead: { without: video, base } }
}

async function listedVoice(context: Context, key: KeyName): Promise<string | undefined> {
  if (!context.offers('voices')) return undefined
  const answer = await context.call('list-voices', { key })
  const voices: Json | undefined = at(answer.data, '/voices')
  const ids = Array.isArray(voices) ? voices.map((voice: Json) => at(voice, '/voice_id')) : []
  return ids.find((id): id is string => typeof id === 'string' && id !== '')
}
