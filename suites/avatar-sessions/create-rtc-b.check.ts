import type { Context, OpenSession } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted } from '../../src/trace/conditions.ts'
import { videoAvatar } from './bodies.ts'
import { changed } from './change.ts'
import { seenOverRtcB } from './create-proves.ts'
import { keyOf, type Release, releaseOf, tryCreate } from './create-send.ts'
import { vouched } from './create-video-pieces.ts'

const row = 'avatar-sessions.create.transport-rtc-b'

/** Two sessions over `rtc_b`, open together where the workspace allows it. */
export const createRtcB: Scenario = {
  id: 'avatar-sessions.create-rtc-b',
  proves: [row, ...seenOverRtcB],
  needs: { abilities: ['video', 'rtc_b'] },
  price: { requests: { same_workspace: 4 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const first = await send(context)
    if (first === undefined) context.block('prerequisite', 'a create over rtc_b was refused')
    const release = releaseOf(context, first)
    const second = await send(context, release)
    await release()
    if (second !== undefined) await context.close(second)
  },
}

async function send(context: Context, release?: Release): Promise<OpenSession | undefined> {
  const exchange = context.exchange()
  const given = { given: [accepted(exchange)], given_code: 'model_choice' } as const
  context.claim(row, accepted(exchange), vouched(context.profile) ? {} : given)
  const body = changed(videoAvatar(context.profile), { set: { '/delivery/media/transport': 'rtc_b' } })
  return tryCreate(context, body, { exchange, key: keyOf(context, 'same_workspace'), release })
}
