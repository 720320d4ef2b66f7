import { keyOf } from '../../src/scenario/key-of.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { answer, equals, value } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'
import { needsCharacters, needsVideo } from './acts.ts'
import { ada, bea, lookUp, pairCharacter, sourceImage, videoCharacter } from './bodies.ts'
import { type LateFault, refuseLate, setUp, validated } from './late.ts'

const put = (members: JsonObject) => (body: JsonObject) => ({ ...body, ...members })
const row = <Name extends string>(name: Name) => `characters.create.${name}-refused` as const

/** Complete for either mode, so that only the mode is at fault. */
const otherMode = (c: Context) => ({
  session: { mode: 'audio_chat', active_avatar_id: ada },
  output: { aspect_ratio: '9:16', resolution: '480p' },
  avatars: [{ avatar_id: ada, visual: { source_images: [sourceImage(c.profile, 'face')] } }],
})

/** A temperature that no default has. */
const mild = 0.7

function textFaults(c: Context): readonly LateFault[] {
  return [
    { row: row('model-unknown'), change: put({ model: 'svc-a1-stream-pro' }) },
    { row: row('mode-unknown'), change: put(otherMode(c)) },
    { row: row('active-avatar-ambiguous'), change: put({ session: { mode: 'text_chat' } }) },
    { row: row('tool-name-missing'), change: put({ conversation: { tools: [lookUp, { type: 'function' }] } }) },
    {
      row: row('temperature-out-of-range'),
      change: put({ conversation: { response_defaults: { temperature: 2.1 } } }),
      kept: (saved) => equals(answer(saved, '/data/conversation/response_defaults/temperature'), value(mild)),
      again: true,
    },
    { row: row('tts-config-missing'), change: put({ pipeline_config: { tag_audio_enabled: false } }), again: true },
    { row: row('tts-voice-id-empty'), change: put({ pipeline_config: { tts_config: { tts_voice_id: '' } } }) },
  ]
}

/** One image of the active avatar in the place of its two. */
const imaged =
  (images: readonly JsonObject[], session: JsonObject = {}) =>
  (body: JsonObject) => ({
    ...body,
    session: { mode: 'video_avatar', active_avatar_id: ada, ...session },
    avatars: [
      { avatar_id: ada, visual: { source_images: images } },
      { avatar_id: bea, visual: { source_images: images.slice(0, 1) } },
    ],
  })

function videoFaults({ profile }: Context): readonly LateFault[] {
  const [front, side] = [sourceImage(profile, 'front'), sourceImage(profile, 'side')]
  const { url } = front as { readonly url: string }
  return [
    { row: row('resolution-unknown'), change: put({ output: { aspect_ratio: '9:16', resolution: '1080p' } }) },
    { row: row('source-image-unresolvable'), change: imaged([front, side]), again: true },
    { row: row('source-image-unknown'), change: imaged([front], { source_image_id: 'nowhere' }) },
    { row: row('source-image-id-duplicate'), change: imaged([front, front], { source_image_id: 'front' }) },
    {
      row: row('media-type-not-image'),
      change: imaged([{ source_image_id: 'front', url, media_type: 'video/mp4' }]),
    },
    {
      row: row('voice-incomplete'),
      change: (body) => {
        const [first, ...others] = body['avatars'] as readonly JsonObject[]
        return { ...body, avatars: [{ ...first, voice: { provider: 'narrators' } }, ...others] }
      },
      again: true,
    },
  ]
}

const textRows = ['model-unknown', 'mode-unknown', 'active-avatar-ambiguous', 'tool-name-missing'] as const
const voiceRows = ['temperature-out-of-range', 'tts-config-missing', 'tts-voice-id-empty'] as const
const videoRows = ['resolution-unknown', 'source-image-unresolvable', 'source-image-unknown'] as const
const imageRows = ['source-image-id-duplicate', 'media-type-not-image', 'voice-incomplete'] as const

/** What Create Session refuses in `text_chat` gets through by no character either. */
export const lateText: Scenario = {
  id: 'characters.late-refusals',
  needs: needsCharacters,
  proves: [...[...textRows, ...voiceRows].map(row), validated] satisfies readonly RequirementId[],
  price: { requests: { other_workspace: 22 }, typical: 14, sessions: { other_workspace: 1 } },
  async drive(c) {
    const conversation = { response_defaults: { temperature: mild } }
    const bench = await setUp(c, { ...pairCharacter(c, 'late'), conversation }, keyOf(c, 'other_workspace'))
    for (const fault of textFaults(c)) await refuseLate(c, bench, fault.change(pairCharacter(c, 'late')), fault)
  },
}

export const lateVideo: Scenario = {
  id: 'characters.late-refusals-in-video',
  needs: needsVideo,
  proves: [...[...videoRows, ...imageRows].map(row), validated] satisfies readonly RequirementId[],
  price: { requests: { other_workspace: 20 }, typical: 13, sessions: { other_workspace: 1 } },
  async drive(c) {
    const bench = await setUp(c, videoCharacter(c, 'late'), keyOf(c, 'other_workspace'))
    for (const fault of videoFaults(c)) await refuseLate(c, bench, fault.change(videoCharacter(c, 'late')), fault)
  },
}
