import { listWith } from '#scenario/author/look-for-sessions'
import { pickKey } from '#scenario/author/pick-key'
import type { Context, OpenSession } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { look } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import { accepted } from '#trace/conditions'
import { at } from '#trace/json'
import { sourceImage, videoAvatar } from '#scenario/author/bodies'
import { type Change, changed } from '../change.ts'
import { seenOverRtcB } from './observed.ts'
import { isTaken, type Release, releaseOf, tryCreate } from './send.ts'
import { vouched } from './video-options.ts'

const row = 'avatar-sessions.create.transport-rtc-b'

/** When it is refused, the same create over the default transport shows whether the transport is to blame. */
const send = step([row], async (c, release: Release | undefined): Promise<OpenSession | undefined> => {
  const [exchange, plain] = [c.exchange(), c.exchange()]
  const key = pickKey(c, 'same_workspace')
  const body = videoAvatar(c.profile)
  const over = changed(body, { set: { '/delivery/media/transport': 'rtc_b' } })
  const given_code = codeOf(c)
  c.claim(row, accepted(exchange), { given: [accepted(exchange)], given_code })
  const session = await tryCreate(c, over, { exchange, key, release })
  if (session !== undefined) return session
  c.claim(row, accepted(exchange), { given: [accepted(plain)], given_code })
  await isTaken(c, body, { exchange: plain, key, release })
  return undefined
})

/** Two sessions over `rtc_b`, open together where the workspace allows it; List shows the one that is left. */
export const createRtcB = scenario({
  id: 'avatar-sessions.create-rtc-b',
  steps: [send],
  observes: [...seenOverRtcB, 'avatar-sessions.list.shows-open-sessions'],
  needs: { abilities: ['video', 'rtc_b'] },
  price: { requests: { same_workspace: 7 }, typical: 5, sessions: { primary: 1 } },
  async drive(c) {
    const first = await send(c, undefined)
    if (first === undefined) return c.block(codeOf(c), 'a create over rtc_b was refused')
    const release = releaseOf(c, first)
    const second = (await sendAmongSeveral(c, release)) ?? (await send(c, release))
    await lookAtClash(c, first, second)
    await release()
    if (second === undefined) return
    await listWith(c, [second], { key: pickKey(c, 'same_workspace') })
    await c.close(second)
  },
})

const channel = '/delivery/media/rtc_b/channel_name'

/** Both were told of one channel: was the first still open, or had the service ended it by itself (3.1)? */
async function lookAtClash(c: Context, first: OpenSession, second: OpenSession | undefined): Promise<void> {
  const name = at(first.data, channel)
  if (name === undefined || name !== at(second?.data, channel)) return
  await c.wait(c.timeouts.lag_ms, 'lag')
  await look(c, first)
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
  const key = pickKey(context, 'same_workspace')
  return tryCreate(context, changed(videoAvatar(profile), several), { key, release })
}

/** Where the profile does not vouch for the image, a correct target may refuse any video create. */
function codeOf({ profile }: Context): 'prerequisite' | 'model_choice' {
  return vouched(profile) ? 'prerequisite' : 'model_choice'
}
