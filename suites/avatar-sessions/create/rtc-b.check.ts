import { keyOf } from '#scenario/author/key-of'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { sourceImage, videoAvatar } from '../bodies.ts'
import { type Change, changed } from '../change.ts'
import { seenOverRtcB } from './proves.ts'
import { type Release, releaseOf, tryCreate } from './send.ts'
import { vouched } from './video-pieces.ts'

const row = 'avatar-sessions.create.transport-rtc-b'

/** Two sessions over `rtc_b`, open together where the workspace allows it. */
export const createRtcB: Scenario = {
  id: 'avatar-sessions.create-rtc-b',
  proves: [row, ...seenOverRtcB],
  needs: { abilities: ['video', 'rtc_b'] },
  price: { requests: { same_workspace: 4 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const first = await send(context)
    if (first === undefined) context.block(codeOf(context), 'a create over rtc_b was refused')
    const release = releaseOf(context, first)
    const second = (await sendAmongSeveral(context, release)) ?? (await send(context, release))
    await release()
    if (second !== undefined) await context.close(second)
  },
}

/** When it is refused, the same create over the default transport shows whether the transport is to blame. */
async function send(context: Context, release?: Release): Promise<OpenSession | undefined> {
  const [exchange, plain] = [context.exchange(), context.exchange()]
  const key = keyOf(context, 'same_workspace')
  const body = videoAvatar(context.profile)
  const over = changed(body, { set: { '/delivery/media/transport': 'rtc_b' } })
  const given_code = codeOf(context)
  context.claim(row, accepted(exchange), { given: [accepted(exchange)], given_code })
  const session = await tryCreate(context, over, { exchange, key, release })
  if (session !== undefined) return session
  context.claim(row, accepted(exchange), { given: [accepted(plain)], given_code })
  const other = await tryCreate(context, body, { exchange: plain, key, release })
  if (other !== undefined) await context.close(other)
  return undefined
}

/** By the lightweight model where it is offered, and with an active avatar that is not the first: its only image is shown. */
function sendAmongSeveral(context: Context, release: Release): Promise<OpenSession | undefined> {
  const { profile } = context
  const visual = { source_images: [sourceImage(profile, 'front')] }
  const several: Change = {
    set: {
      '/avatars/-': { avatar_id: 'ben', visual },
      '/session': { mode: 'video_avatar', active_avatar_id: 'ben' },
      '/delivery/media/transport': 'rtc_b',
      ...(profile.abilities?.lite_model === false ? {} : { '/model': 'svc-a1-stream-lite' }),
    },
  }
  const key = keyOf(context, 'same_workspace')
  return tryCreate(context, changed(videoAvatar(profile), several), { exchange: context.exchange(), key, release })
}

/** Where the profile does not vouch for the image, a correct target may refuse any video create. */
function codeOf({ profile }: Context): 'prerequisite' | 'model_choice' {
  return vouched(profile) ? 'prerequisite' : 'model_choice'
}
