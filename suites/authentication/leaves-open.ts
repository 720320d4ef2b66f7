import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { all, answer, different, event, eventually, oneOf } from '#trace/conditions'
import { type Door, withBadKey, withoutKey } from './knock.ts'

const created = event('conversation.item.created')

/** Closes that must fail leave the session open: Get says nothing else, and its control channel still works. */
export async function leavesOpen(context: Context, session: OpenSession, close: Door): Promise<void> {
  const channel = await context.connect(session)
  await provoke(context, channel)
  const keyless = await withoutKey(context, close)
  const missing = 'authentication.missing-key.changes-nothing'
  const before = await probe(context, { row: missing, session, channel, close: keyless })
  const badly = await withBadKey(context, close)
  const invalid = 'authentication.invalid-key.changes-nothing'
  await probe(context, { row: invalid, session, channel, close: badly, given: [before] })
  await channel.close()
}

/** An unknown event, whose failure arrives as an `error` event (section 7). */
async function provoke(context: Context, channel: Channel): Promise<void> {
  const { frame } = channel.send({ type: 'greenroom.unknown', event_id: context.id('unknown') })
  await channel.next(event('error'), { after: frame })
}

interface Probe {
  readonly row: RequirementId
  readonly session: OpenSession
  readonly channel: Channel
  /** The close that must have no effect. */
  readonly close: number
  /** The session was open before the close that is in question. */
  readonly given?: readonly Condition[]
}

async function probe(context: Context, { row, session, channel, close, given = [] }: Probe): Promise<Condition> {
  const exchange = context.exchange()
  const answered = { exchange: close, edge: 'answered' } as const
  const open = all(
    eventually(channel.channel, answered, created, context.timeouts.event_ms),
    different(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed')),
  )
  context.claim(row, open, { given })
  const content = [{ type: 'input_text', text: 'Are you there?' }]
  if (channel.state === 'open') {
    const { frame } = channel.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content },
    })
    await channel.next(created, { after: frame })
  }
  await context.call('get-avatar-session', { exchange, params: { session_id: session.id } })
  return open
}
