import { keyOf } from '#scenario/author/key-of'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, equals, value } from '#trace/conditions'
import type { KeyName, Profile } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { sourceImage, videoAvatar } from '../bodies.ts'
import { changed } from '../change.ts'
import { sendMinimal } from './minimal.ts'
import { type Pack, sendPack } from './pack.ts'
import { seenInVideo } from './proves.ts'
import { type Ground, type Refusal, sendRefusal } from './refusal.ts'
import { releaseOf, tryCreate } from './send.ts'
import { asVideo, explicitPieces, galleryPieces, videoSpares, vouched } from './video-pieces.ts'
import { textRefusals } from './text-refusals.ts'
import { videoRefusals } from './video-refusals.ts'

const anyProfile = { base_url: '', keys: {} }
const minimalRow = 'avatar-sessions.create.minimal-video-accepted'

/** All that a `video_avatar` create may carry and must not carry, on one key. Two sessions are open together for a moment. */
export const createVideo: Scenario = {
  id: 'avatar-sessions.create-video',
  proves: [
    minimalRow,
    ...videoSpares.flatMap(({ rows }) => rows),
    ...[...galleryPieces(anyProfile), ...explicitPieces(anyProfile)].flatMap(({ rows }) => rows),
    ...new Set([...videoRefusals, ...sharedRefusals(anyProfile)].flatMap(({ rows, code = [] }) => [...rows, ...code])),
    ...seenInVideo,
    'avatar-sessions.idempotency.retry-same-session',
    'avatar-sessions.session.idle-timeout-omitted-zero',
  ],
  needs: { abilities: ['video'] },
  price: { requests: { same_workspace: 42 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'same_workspace')
    const soft = !vouched(context.profile)
    const least = videoAvatar(context.profile)
    const minimal = await sendMinimal(context, { body: least, row: minimalRow, spares: videoSpares, key, soft })
    if (minimal === undefined) context.block(soft ? 'model_choice' : 'prerequisite', 'the minimal create was refused')
    const { body } = minimal
    const release = releaseOf(context, minimal.session)
    const gallery = await sendPack(context, { base: body, pieces: galleryPieces(context.profile), key, release })
    await release()
    await pairUp(context, body, { key, soft })
    const explicit = await sendPack(context, {
      base: changed(body, asVideo),
      pieces: explicitPieces(context.profile),
      key,
    })
    const byDefault = { body, twin: inVideo(minimal.exchange), soft }
    const shared = soft ? [] : sharedRefusals(context.profile)
    for (const refusal of [...videoRefusals, ...shared]) {
      await sendRefusal(context, refusal, groundOf(refusal, [gallery, explicit]) ?? byDefault, key)
    }
  },
}

/**
 * One image each: the active avatar "has exactly one source image", whatever others have. A timeout that is omitted beside
 * another one is off, and the key of a create is one in video as in text.
 */
async function pairUp(
  context: Context,
  body: JsonObject,
  { key, soft }: { key: KeyName; soft: boolean },
): Promise<void> {
  const exchange = context.exchange()
  const ben = { avatar_id: 'ben', visual: { source_images: [sourceImage(context.profile, 'back')] } }
  const auto_close = { disconnected_timeout_seconds: 20 }
  const set = { '/avatars/-': ben, '/session/active_avatar_id': 'ada', '/auto_close': auto_close }
  const pair = { ...changed(body, { set }), idempotency_key: context.id('create') }
  const sole = accepted(exchange)
  const options = soft ? ({ given: [sole], given_code: 'model_choice' } as const) : {}
  context.claim('avatar-sessions.create.source-image-sole', sole, options)
  const session = await tryCreate(context, pair, { exchange, key })
  if (session === undefined) return
  await context.attempt(pair, { key, retry: 'never' })
  await context.close(session)
}

/** What holds in either mode, and is tried in text where there is no video. */
function sharedRefusals(profile: Profile): readonly Refusal[] {
  return textRefusals(profile).flatMap(({ inVideo: on, ...refusal }) => (on === undefined ? [] : [{ ...refusal, on }]))
}

/** Accepted, and as a video session: a service that took it for another says nothing about the faults of video. */
function inVideo(exchange: number): Condition {
  return all(accepted(exchange), equals(answer(exchange, '/data/session/mode'), value('video_avatar')))
}

/** Undefined where the refusal is about the default mode. */
function groundOf({ on = 'video' }: Refusal, packs: readonly Pack[]): Ground | undefined {
  const pack = packs.find(({ taken }) => taken.has(on))
  const [twin, body] = [pack?.taken.get(on), pack?.bodies.get(on)]
  return twin === undefined || body === undefined ? undefined : { twin, body, soft: pack?.soft.has(on) === true }
}
