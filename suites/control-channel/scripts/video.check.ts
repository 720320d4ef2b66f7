import type { Exchange } from '#client/types'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, equals, inEvent, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { createTime, greeting } from '../assets/add.ts'
import { addInVideo, speaker } from '../avatars/video.ts'
import { userMessage, videoAvatar } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { quiet, respond } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { playAddress, playBytes } from './audio.ts'
import { refuseActions, showActions, showOnceDone } from './visual.ts'
import { warmUp } from '../speech/speeches.ts'
import { Talk } from '../talk.ts'

/** Scripts that are rendered, and avatars with images, in video. */
export const scriptsInVideo: Scenario = {
  id: 'control-channel.scripts-in-video',
  proves: rows(
    'avatar-add.confirmed',
    'avatar-add.confirmed-once',
    'avatar-add.rejected-not-confirmed',
    'error.event-id-names-cause',
    'response-created.request-event-id-names-request',
    'avatar-add.with-images-accepted',
    'avatar-add.not-active',
    'avatar-add.not-active-source-image',
    'avatar-add.selectable-in-video',
    'avatar-add.existing-rejected',
    'avatar-add.images-not-appended',
    'avatar-add.images-not-replaced',
    'avatar-add.image-url-missing-rejected',
    'avatar-add.image-id-missing-rejected',
    'avatar-add.image-id-duplicate-rejected',
    'avatar-add.image-id-shared-by-avatars-accepted',
    'avatar-add.media-type-missing-rejected',
    'avatar-add.media-type-not-image-rejected',
    'avatar-add.voice-provider-missing-rejected',
    'avatar-add.voice-provider-voice-id-missing-rejected',
    'avatar-add.voice-model-missing-rejected',
    'avatar-add.voice-accepted',
    'avatar-add.voice-speed-below-minimum-rejected',
    'avatar-add.voice-speed-minimum-accepted',
    'avatar-add.voice-speed-maximum-accepted',
    'avatar-add.voice-speed-above-maximum-rejected',
    'avatar-added.visual-effective',
    'avatar-added.voice-effective',
    'avatar-add.none-registered-on-invalid',
    'avatar-add.none-registered-after-invalid',
    'script-speech-asset.create-time-asset-spoken',
    'script-audio.url-accepted',
    'script-audio.bytes-accepted',
    'script-audio.mpeg-bytes-accepted',
    'script-audio.mime-type-missing-rejected',
    'script-audio.mime-type-unknown-rejected',
    'script-audio.url-and-bytes-rejected',
    'script-audio.no-source-rejected',
    'script-audio.bytes-not-matching-not-completed',
    'script-audio.url-not-https-rejected',
    'script-audio.data-url-not-completed',
    'script-audio.not-base64-not-completed',
    'script-audio-asset.added-asset-accepted',
    'script-audio-asset.create-time-asset-accepted',
    'script-audio-asset.unknown-asset-rejected',
    'script-audio-asset.other-kind-rejected',
    'script-audio-asset.id-missing-rejected',
    'script-visual.prompt-accepted',
    'script-visual.several-actions-accepted',
    'script-visual.added-asset-accepted',
    'script-visual.create-time-asset-accepted',
    'script-visual.beside-vocal-accepted',
    'script-visual.prompt-and-asset-rejected',
    'script-visual.neither-rejected',
    'script-visual.unknown-asset-rejected',
    'script-visual.other-kind-rejected',
    'script-visual.duration-accepted',
    'script-visual.duration-omitted-accepted',
    'script-visual.duration-not-integer-rejected',
    'scheduling.idle-after-done',
    'render-started.response-id',
    'render-started.for-model-output',
    'render.something-rendered',
    'render-started.for-speech',
    'render-started.for-audio',
    'render-started.for-visual-only',
    'render-started.once',
    'render-started.after-created',
    'render-stopped.response-id',
    'render-stopped.status-in-set',
    'render-stopped.follows-started',
    'render-stopped.only-after-started',
    'render-stopped.once',
    'render-stopped.before-done',
    'render-stopped.done-follows',
    'render-stopped.undisturbed-completed',
    'text-delta.for-spoken-media',
  ),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 8 }, typical: 2, sessions: { primary: 1 }, waits: 3 },
  async drive(context) {
    const { session, voiced } = await createVoiced(context)
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Hello! Please say hello in one short sentence.'))
    await respond(talk, {})
    await quiet(talk)
    await greet(talk)
    await showOnceDone(talk, await playBytes(talk))
    const shown = await showActions(talk)
    await refuseActions(talk, shown)
    await playAddress(talk)
    await addInVideo(talk, known, voiced)
    await talk.leave()
  },
}

/** With an avatar that has a voice, which the service may refuse. */
async function createVoiced(context: Context): Promise<{ session: OpenSession; voiced: Condition }> {
  const exchange = context.exchange()
  const body: JsonObject = { ...videoAvatar(context), assets: createTime(context) }
  const avatars = Array.isArray(body['avatars']) ? (body['avatars'] as readonly Json[]) : []
  const idempotency_key = context.id('voiced')
  const withVoice = { ...body, idempotency_key, avatars: [...avatars, speaker(context)] }
  const answer = await attemptWithRoom(context, withVoice, exchange)
  const session = answer.ok ? context.adopt(answer) : await context.create(body)
  return { session, voiced: accepted(exchange) }
}

/** A full workspace says nothing about the voice: it is waited out. */
async function attemptWithRoom(context: Context, body: JsonObject, exchange: number): Promise<Exchange> {
  for (let pause = 500; ; pause *= 2) {
    const answer = await context.attempt(body, { exchange })
    if (answer.code !== 30006 || pause > 8_000) return answer
    await context.wait(pause, 'quota')
  }
}

/** A target that cannot voice it may fail; what it completes is the text of the asset. */
async function greet(talk: Talk): Promise<void> {
  await respond(talk, speechAsset(greeting.id), (asked) => {
    const completed = equals(inEvent(asked.done, '/response/status'), value('completed'))
    const exact = equals(inEvent(asked.text, '/text'), value(greeting.text))
    talk.claim('script-speech-asset.create-time-asset-spoken', exact, { given: [completed], choice: true })
  })
  await quiet(talk)
}
