import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { pickKey } from '#scenario/author/pick-key'
import type { KeyName } from '#spec/profile'
import type { Condition } from '#trace/claim'
import { accepted, equals, inEvent, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { createTime, greeting } from '../assets/add.ts'
import { speechAsset } from '../assets/additions.ts'
import { addInVideo, speaker } from '../avatars/video.ts'
import { userMessage, videoAvatar } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { makeItem } from '../items/items.ts'
import { refusing } from '../refusals.ts'
import { asking, completed, quiet, respond } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { channelScenario, claiming } from '../step.ts'
import { playAddress } from './audio.ts'
import { refuseActions, showActions } from './visual.ts'

/** With an avatar that has a voice, which the service may refuse. */
async function createVoiced(context: Context): Promise<{ session: OpenSession; voiced: Condition }> {
  const exchange = context.exchange()
  const body: JsonObject = { ...videoAvatar(context), assets: createTime(context) }
  const avatars = Array.isArray(body['avatars']) ? (body['avatars'] as readonly Json[]) : []
  const idempotency_key = context.id('voiced')
  const withVoice = { ...body, idempotency_key, avatars: [...avatars, speaker(context)] }
  const key = pickKey(context, 'other_workspace')
  const answer = await attemptWithRoom(context, withVoice, { exchange, key })
  const session = answer.ok ? context.adopt(answer, key) : await context.create(body, { key })
  return { session, voiced: accepted(exchange) }
}

/** A full workspace says nothing about the voice: it is waited out. */
async function attemptWithRoom(
  context: Context,
  body: JsonObject,
  options: { readonly exchange: number; readonly key: KeyName },
): Promise<Exchange> {
  for (let pause = 500; ; pause *= 2) {
    const answer = await context.attempt(body, options)
    if (answer.code !== 30006 || pause > 8_000) return answer
    await context.wait(pause, 'quota')
  }
}

/** A target that cannot voice it may fail; what it completes is the text of the asset. */
const greet = claiming({ 'script-speech-asset': 'create-time-asset-spoken' }).step(async (talk) => {
  await respond(talk, speechAsset(greeting.id), (asked) => ({
    'script-speech-asset.create-time-asset-spoken': onlyIf(
      completed(asked),
      equals(inEvent(asked.text, '/text'), value(greeting.text)),
    ),
  }))
  await quiet(talk)
})

/**
 * Scripts that are rendered, and avatars with images, in video. It takes long, so it is made where no other scenario waits to
 * be alone.
 */
export const scriptsInVideo = channelScenario({
  id: 'control-channel.scripts-in-video',
  steps: [greet, showActions, refuseActions, playAddress, addInVideo, refusing, asking],
  observes: rows({
    'avatar-added': 'visual-effective',
    'render-started': 'response-id for-model-output for-speech once after-created',
    render: 'something-rendered',
    'render-stopped': [
      'response-id status-in-set follows-started only-after-started once before-done done-follows',
      'undisturbed-completed',
    ],
    'text-delta': 'for-spoken-media',
    'script-audio-asset': 'completes',
    script: 'default-speech-written auto-speech-asset-written none-speech-not-written written-text-exact',
  }),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { other_workspace: 8 }, typical: 2, sessions: { other_workspace: 1 }, waits: 5 },
  async drive(scene, context) {
    const { session, voiced } = await createVoiced(context)
    const talk = await scene.connect(session)
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Hello! Please say hello in one short sentence.'))
    await respond(talk, {})
    await quiet(talk)
    await greet(talk)
    await refuseActions(talk, await showActions(talk, known))
    await playAddress(talk)
    await addInVideo(talk, known, voiced)
    await talk.leave()
  },
})
