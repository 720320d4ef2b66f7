import { pickKey } from '#scenario/author/pick-key'
import type { Context } from '#scenario/author/context'
import { acceptance, rowsOfRefusals } from '#scenario/author/expectation'
import { eachRowOnce, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, equals, value } from '#trace/conditions'
import type { KeyName, Profile } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { sourceImage, videoAvatar } from '#scenario/author/bodies'
import { changed } from '../change.ts'
import { besideLeftovers, limitRefusals } from './limit-refusals.ts'
import { sendMinimal } from './minimal.ts'
import { bundlesWith, type CreateBundlePlan, groundOf, type NamedBundles, sendCreateBundle } from './bundle.ts'
import { seenInVideo } from './observed.ts'
import { type Faulty, sendRefusal } from './refusal.ts'
import { releaseOf, repeatCreate, tryCreate } from './send.ts'
import { asVideo, explicitOptions, galleryOptions, videoSpares, vouched } from './video-options.ts'
import { textRefusals } from './text-refusals.ts'
import { videoRefusals } from './video-refusals.ts'

const anyProfile = { base_url: '', keys: {} }
const minimalRow = 'avatar-sessions.create.minimal-video-accepted'

const soleRow = 'avatar-sessions.create.source-image-sole'
const seenBeside = [
  'avatar-sessions.idempotency.retry-same-session',
  'avatar-sessions.idempotency.retry-shows-same',
  'avatar-sessions.session.idle-timeout-omitted-zero',
] as const

/** The option beside which a fault stands that is about nothing else. */
const plainVideo = 'video'

function bundlesFor(profile: Profile): NamedBundles {
  return { gallery: galleryOptions(profile), explicit: explicitOptions(profile) }
}

/** All that a `video_avatar` create may carry and must not carry, on one key. Two sessions are open together for a moment. */
export const createVideo = scenario({
  id: 'avatar-sessions.create-video',
  claims: [
    minimalRow,
    soleRow,
    ...[...videoSpares, ...galleryOptions(anyProfile), ...explicitOptions(anyProfile)].flatMap(({ rows }) => rows),
    ...rowsOfRefusals([...videoRefusals, ...sharedRefusals(anyProfile)]),
  ],
  observes: [...seenInVideo, ...seenBeside],
  needs: { abilities: ['video'] },
  price: { requests: { same_workspace: 45 }, sessions: { primary: 1 } },
  optional: eachRowOnce([
    ...refusalsNeeding(
      ({ on }) => bundlesWith(on ?? plainVideo, bundlesFor(anyProfile)),
      videoRefusals,
      sharedRefusals(anyProfile),
    ),
    { id: 'pair', rows: [], also: [soleRow, ...seenBeside], requests: 3 },
    ...Object.entries(bundlesFor(anyProfile)).map(([id, options]) => ({
      id,
      rows: options.flatMap(({ rows }) => rows),
      also: seenInVideo,
      requests: 2,
    })),
  ]),
  async drive(c) {
    const { profile } = c
    const key = pickKey(c, 'same_workspace')
    const mayBeRefused = !vouched(profile)
    const least = { body: videoAvatar(profile), row: minimalRow, spares: videoSpares, key, mayBeRefused } as const
    const minimal = await sendMinimal(c, least)
    const code = mayBeRefused ? 'model_choice' : 'prerequisite'
    if (minimal === undefined) return c.block(code, 'the minimal create was refused')
    const { body } = minimal
    const release = releaseOf(c, minimal.session)
    const { gallery: many = [], explicit: chosen = [] } = bundlesFor(profile)
    const send = async (id: string, plan: CreateBundlePlan) => (c.takes(id) ? [await sendCreateBundle(c, plan)] : [])
    const gallery = await send('gallery', { base: body, options: many, key, release })
    await release()
    if (c.takes('pair')) await pairUp(c, body, { key, mayBeRefused })
    const explicit = await send('explicit', { base: changed(body, asVideo), options: chosen, key })
    const byDefault = { body, control: inVideo(minimal.exchange), mayBeRefused }
    const shared = mayBeRefused ? [] : sharedRefusals(profile)
    for (const refusal of sentOf(c, [...videoRefusals, ...shared])) {
      const on = refusal.on ?? plainVideo
      await sendRefusal(c, refusal, groundOf({ on }, [...gallery, ...explicit]) ?? byDefault, key)
    }
  },
})

/**
 * One image each: the active avatar "has exactly one source image", whatever others have. A timeout that is omitted beside
 * another one is off, and the key of a create is one in video as in text.
 */
async function pairUp(
  c: Context<typeof soleRow>,
  body: JsonObject,
  { key, mayBeRefused }: { readonly key: KeyName; readonly mayBeRefused: boolean },
): Promise<void> {
  const ben = { avatar_id: 'ben', visual: { source_images: [sourceImage(c.profile, 'back')] } }
  const auto_close = { disconnected_timeout_seconds: 20 }
  const set = { '/avatars/-': ben, '/session/active_avatar_id': 'ada', '/auto_close': auto_close }
  const pair = { ...changed(body, { set }), idempotency_key: c.id('create') }
  const expect = acceptance(soleRow, (exchange) => (mayBeRefused ? { onlyIf: [accepted(exchange)] } : {}))
  const session = await tryCreate(c, pair, { key, expect })
  if (session === undefined) return
  await repeatCreate(c, pair, session)
  await c.close(session)
}

/** What holds in either mode, and is tried in text where there is no video. */
function sharedRefusals(profile: Profile): readonly Faulty[] {
  return [...textRefusals(profile), ...limitRefusals].flatMap(({ inVideo: on, ...refusal }) =>
    on === undefined || on === besideLeftovers ? [] : [{ ...refusal, on }],
  )
}

/** Accepted, and as a video session: a service that took it for another says nothing about the faults of video. */
function inVideo(exchange: number): Condition {
  return all(accepted(exchange), equals(answer(exchange, '/data/session/mode'), value('video_avatar')))
}
