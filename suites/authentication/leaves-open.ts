import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import type { Terms } from '#scenario/author/expectation'
import { look, onceMoreIfEnded, type Round, saysGoingOn } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { all, event, eventually } from '#trace/conditions'
import { type KeyedRequest, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'

const created = event('conversation.item.created')

const missing = 'authentication.missing-key.changes-nothing'
const invalid = 'authentication.invalid-key.changes-nothing'

type Rows = typeof missing | typeof invalid

interface Means extends Pick<KeyedRequest<'avatar-sessions'>, 'control'> {
  /** Makes another session like the first. */
  readonly create: () => Promise<OpenSession>
}

/**
 * Closes that must fail leave the session open: Get says nothing else, and its control channel still works. Where it ends
 * meanwhile, the same is done with another session: the service may have ended one by itself.
 *
 * @returns the session that is left open
 */
export const leavesOpen = step(
  [missing, invalid, ...rowsOfKeys('avatar-sessions')],
  async (c, first: OpenSession, { create, control }: Means): Promise<OpenSession> => {
    let session: OpenSession | undefined
    await onceMoreIfEnded(c, async (round) => {
      session = session === undefined ? first : await create()
      const close = closeOf(session, control)
      const channel = await round.connect(c, session)
      await provoke(c, channel)
      const keyless = await stillOpen(c, { row: missing, session, channel, close: await withoutKey(c, close), round })
      // The session was open before this close.
      const given = [keyless]
      const badly = await withBadKey(c, close)
      await stillOpen(c, { row: invalid, session, channel, close: badly, round, terms: { given } })
      await channel.close()
    })
    return session ?? first
  },
)

function closeOf({ id }: OpenSession, control: Means['control']): KeyedRequest<'avatar-sessions'> {
  const call = { params: { session_id: id } }
  return { group: 'avatar-sessions', operation: 'close-avatar-session', call, control }
}

/** An unknown event, whose failure arrives as an `error` event (section 7). */
async function provoke(c: Context, channel: Channel): Promise<void> {
  const { frame } = channel.send({ type: 'greenroom.unknown', event_id: c.id('unknown') })
  await channel.next(event('error'), { after: frame })
}

interface Look {
  readonly row: Rows
  readonly session: OpenSession
  readonly channel: Channel
  /** The close that must fail. */
  readonly close: number
  readonly round: Round
  readonly terms?: Terms
}

/** Claims that the session is open once the close was answered: its channel works, and Get says so. */
async function stillOpen(
  c: Context<Rows>,
  { row, session, channel, close, round, terms = {} }: Look,
): Promise<Condition> {
  await converse(channel)
  const looked = await look(c, session)
  const answers = eventually(channel.channel, { exchange: close, edge: 'answered' }, created, c.timeouts.event_ms)
  const condition = all(answers, saysGoingOn(looked.exchange))
  round.goesOn(c, { session, rows: row, claims: [{ condition, terms }], looked })
  return condition
}

async function converse(channel: Channel): Promise<void> {
  if (channel.state !== 'open') return
  const content = [{ type: 'input_text', text: 'Are you there?' }]
  const { frame } = channel.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  await channel.next(created, { after: frame })
}
