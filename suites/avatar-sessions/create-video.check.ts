import { keyOf } from '../../src/scenario/key-of.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { accepted, all, answer, equals, value } from '../../src/trace/conditions.ts'
import { videoAvatar } from './bodies.ts'
import { changed } from './change.ts'
import { sendMinimal } from './create-minimal.ts'
import { type Pack, sendPack } from './create-pack.ts'
import { seenInVideo } from './create-proves.ts'
import { type Ground, type Refusal, sendRefusal } from './create-refusal.ts'
import { releaseOf } from './create-send.ts'
import { asVideo, explicitPieces, galleryPieces, videoSpares, vouched } from './create-video-pieces.ts'
import { videoRefusals } from './create-video-refusals.ts'

const anyProfile = { base_url: '', keys: {} }
const minimalRow = 'avatar-sessions.create.minimal-video-accepted'

/** All that a `video_avatar` create may carry and must not carry, on one key. Two sessions are open together for a moment. */
export const createVideo: Scenario = {
  id: 'avatar-sessions.create-video',
  proves: [
    minimalRow,
    ...videoSpares.flatMap(({ rows }) => rows),
    ...[...galleryPieces(anyProfile), ...explicitPieces(anyProfile)].flatMap(({ rows }) => rows),
    ...new Set(videoRefusals(anyProfile).flatMap(({ rows, code = [] }) => [...rows, ...code])),
    ...seenInVideo,
  ],
  needs: { abilities: ['video'] },
  price: { requests: { same_workspace: 28 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'same_workspace')
    const soft = !vouched(context.profile)
    const body = videoAvatar(context.profile)
    const minimal = await sendMinimal(context, { body, row: minimalRow, spares: videoSpares, key, soft })
    if (minimal === undefined) context.block(soft ? 'model_choice' : 'prerequisite', 'the minimal create was refused')
    const release = releaseOf(context, minimal.session)
    const gallery = await sendPack(context, { base: body, pieces: galleryPieces(context.profile), key, release })
    await release()
    const explicit = await sendPack(context, {
      base: changed(body, asVideo),
      pieces: explicitPieces(context.profile),
      key,
    })
    const byDefault = { body, twin: inVideo(minimal.exchange), soft }
    for (const refusal of videoRefusals(context.profile)) {
      await sendRefusal(context, refusal, groundOf(refusal, [gallery, explicit]) ?? byDefault, key)
    }
  },
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
