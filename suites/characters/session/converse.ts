import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { watchRefusal } from '#scenario/author/watch-refusal'
import { answer, equals, event, refused, value } from '#trace/conditions'
import { textAt } from '#trace/json'
import { find } from './channel-acts.ts'

/** What rules of the control channel judge where a session from a character is spoken to. */
export const seenInTalk = [
  'control-channel.script.default-speech-written',
  'control-channel.script.none-speech-not-written',
  'control-channel.session-update.active-avatar-kept-when-omitted',
] as const

/** Lines are spoken within the conversation and out of band, and looked for in it. */
export async function converse(c: Context, channel: Channel): Promise<void> {
  for (const more of [{}, { conversation: 'none' }]) {
    const item = await utter(c, channel, more)
    if (item !== undefined) await find(c, channel, item)
  }
}

/** @returns the item of what was said */
async function utter(c: Context, channel: Channel, more: { conversation?: string }): Promise<string | undefined> {
  const script = { vocal: { type: 'speech', text: 'This is a line of mine.' } }
  const response = { script, scheduling_policy: 'after_current_response', ...more }
  const frame = channel.nextFrame()
  if (channel.state !== 'open') return undefined
  channel.send({ type: 'response.create', event_id: c.id('utter'), response }, frame)
  const done = await channel.next(event('response.done'), { after: frame, within_ms: 2 * c.timeouts.event_ms })
  return textAt(done?.data, '/response/output/0/id')
}

/** Once the first update of a channel is done, the mode alone is named, as it is: the avatar that was chosen is kept. */
export async function nameMode(c: Context, channel: Channel): Promise<void> {
  const within_ms = c.timeouts.event_ms
  await channel.next(event('session.update.done'), { after: 0, within_ms })
  const frame = channel.nextFrame()
  if (channel.state !== 'open') return
  channel.send({ type: 'session.update', event_id: c.id('mode'), session: { mode: 'text_chat' } }, frame)
  await channel.next(event('session.updated'), { after: frame, within_ms })
}

const closedOpens = 'control-channel.secret.refused-after-closed'

/** "Stops working when the session closes" (5.3). @param admitted number of a channel that the secret opened before */
export const refuseAfterClose = step([closedOpens], async (c, session: OpenSession, admitted: number) => {
  const { exchange } = await c.closed(session)
  const number = c.channelNumber()
  const over = equals(answer(exchange, '/data/status'), value('closed'))
  c.claim(closedOpens, refused(number, admitted), { onlyIf: [over] })
  const channel = await c.open(session, { channel: number, expects_refusal: true })
  await watchRefusal(c, channel)
  await channel.close()
})
