import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import { all, answer, different, event, eventually, oneOf } from '#trace/conditions'
import { type KeyedRequest, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'

const created = event('conversation.item.created')

const missing = 'authentication.missing-key.changes-nothing'
const invalid = 'authentication.invalid-key.changes-nothing'

/** Closes that must fail leave the session open: Get says nothing else, and its control channel still works. */
export const leavesOpen = step(
  [missing, invalid, ...rowsOfKeys('avatar-sessions')],
  async (c, session: OpenSession, close: KeyedRequest<'avatar-sessions'>) => {
    const channel = await c.connect(session)
    await provoke(c, channel)
    const keyless = openAfter(c, channel, await withoutKey(c, close))
    const get = c.expect(outcome(missing, keyless, { given: [] }))
    await converse(channel)
    await c.call('get-avatar-session', { exchange: get, params: { session_id: session.id } })
    const badly = openAfter(c, channel, await withBadKey(c, close))
    // The session was open before this close.
    const again = c.expect(outcome(invalid, badly, { given: [keyless(get)] }))
    await converse(channel)
    await c.call('get-avatar-session', { exchange: again, params: { session_id: session.id } })
    await channel.close()
  },
)

/** An unknown event, whose failure arrives as an `error` event (section 7). */
async function provoke(c: Context, channel: Channel): Promise<void> {
  const { frame } = channel.send({ type: 'greenroom.unknown', event_id: c.id('unknown') })
  await channel.next(event('error'), { after: frame })
}

/** That the session is open once the close was answered, by a Get. */
function openAfter({ timeouts }: Context, { channel }: Channel, close: number) {
  const answers = eventually(channel, { exchange: close, edge: 'answered' }, created, timeouts.event_ms)
  return (get: number) => all(answers, different(answer(get, '/data/status'), oneOf('closing', 'closed', 'failed')))
}

async function converse(channel: Channel): Promise<void> {
  if (channel.state !== 'open') return
  const content = [{ type: 'input_text', text: 'Are you there?' }]
  const { frame } = channel.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  await channel.next(created, { after: frame })
}
