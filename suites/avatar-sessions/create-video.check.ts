import type { KeyName } from '../../src/law/profile.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted } from '../../src/trace/conditions.ts'
import { videoAvatar } from './bodies.ts'
import { sendMinimal } from './create-minimal.ts'
import { type Pack, sendPack } from './create-pack.ts'
import { seenInVideo } from './create-proves.ts'
import { type Ground, type Refusal, sendRefusal } from './create-refusal.ts'
import { keyOf, releaseOf } from './create-send.ts'
import { explicitPieces, galleryPieces, videoSpares, vouched } from './create-video-pieces.ts'
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
  price: { requests: { same_workspace: 27 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'same_workspace')
    const soft = !vouched(context.profile)
    const body = videoAvatar(context.profile)
    const minimal = await sendMinimal(context, { body, row: minimalRow, spares: videoSpares, key, soft })
    if (minimal === undefined) context.block(soft ? 'model_choice' : 'prerequisite', 'the minimal create was refused')
    const release = releaseOf(context, minimal.session)
    const gallery = await sendPack(context, { base: body, pieces: galleryPieces(context.profile), key, release })
    await release()
    const explicit = await sendPack(context, { base: body, pieces: explicitPieces(context.profile), key })
    const ground = { body, twin: accepted(minimal.exchange), soft }
    await sendRefusals(context, [gallery, explicit], ground, key)
  },
}

async function sendRefusals(context: Context, packs: readonly Pack[], minimal: Ground, key: KeyName): Promise<void> {
  for (const refusal of videoRefusals(context.profile)) {
    await sendRefusal(context, refusal, groundOf(refusal, packs) ?? minimal, key)
  }
}

function groundOf({ on }: Refusal, packs: readonly Pack[]): Ground | undefined {
  const pack = on === undefined ? undefined : packs.find(({ taken }) => taken.has(on))
  const [twin, body] = [pack?.taken.get(on ?? ''), pack?.bodies.get(on ?? '')]
  return twin === undefined || body === undefined ? undefined : { twin, body, soft: pack?.soft.has(on ?? '') === true }
}
