import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition, Point } from '#trace/claim'
import { any, before, event } from '#trace/conditions'
import { textChat, userMessage } from '../bodies.ts'
import { makeItem, retrieve, retrieved } from '../items/items.ts'
import { enter } from './knock.ts'
import { rows } from '../rows.ts'
import type { Faulty, Talk } from '../talk.ts'
import { look, takeTurns, type Update, update } from '../updates/updates.ts'

/** Several control connections of one session, side by side. Whether an older one stays open is not said. */
export const connections: Scenario = {
  id: 'control-channel.connections',
  proves: rows(
    'secret.second-connection-admitted',
    'connections.sender-is-answered',
    'connections.sender-gets-error',
    'connections.one-closing-leaves-other',
    'connections.state-shared',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const turn = takeTurns()
    const older = await enter(context, session, [])
    const set = turn()
    const { confirmed } = await update(older, { active_avatar_id: set })
    const newer = await enter(context, session, ['secret.second-connection-admitted'])
    await look(newer, (it) => {
      const options = { given: [confirmed, it.confirmed], choice: true }
      newer.claim('connections.state-shared', it.shows({ active_avatar_id: set }), options)
    })
    await answerSenders(older, newer, turn)
    await refuseSenders(older, newer)
    await shareState(older, newer, turn)
    await loseOne(context, session, { older, newer, turn })
  },
}

/** Time for what the end of a connection does to the other one, in milliseconds. */
const momentMs = 250

/** Both connections are open when this point of one of them comes; a target may have closed the other. */
function beside(other: Talk, at: Point): readonly Condition[] {
  return [before(other.opened, at), before(at, other.closed)]
}

async function answerSenders(older: Talk, newer: Talk, turn: () => string): Promise<void> {
  for (const [talk, other] of [
    [newer, older],
    [older, newer],
    [newer, older],
  ] as const) {
    const avatar = turn()
    const write = (it: Update) => {
      const both = beside(other, it.at)
      const answered = it.shows({ active_avatar_id: avatar })
      talk.claim('connections.sender-is-answered', answered, { given: both, choice: true })
      talk.claim('connections.sender-is-answered', it.settled, { given: [it.confirmed, ...both], choice: true })
    }
    await update(talk, { active_avatar_id: avatar }, { told: 'by-avatar', write })
  }
}

/** The same fault on each of them; the other one may hear of it too. */
async function refuseSenders(older: Talk, newer: Talk): Promise<void> {
  for (const [talk, other] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const { confirmed } = await makeItem(talk, userMessage('Here I am.'))
    const message = { type: 'session.rewind', event_id: talk.context.id('faulty') }
    const write = (it: Faulty) => {
      const given = [...beside(other, it.at), confirmed]
      talk.claim('connections.sender-gets-error', it.rejected, { given, choice: true })
    }
    await talk.fault(message, write, { alone: false })
    await makeItem(talk, userMessage('Still here.'))
  }
}

/** What one connection sets, the other one finds. */
async function shareState(older: Talk, newer: Talk, turn: () => string): Promise<void> {
  for (const [writer, reader] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const avatar = turn()
    const set = await update(writer, { active_avatar_id: avatar }, { told: 'by-avatar' })
    const { id = '', confirmed } = await makeItem(writer, userMessage(`The avatar is called ${avatar}.`))
    await look(reader, (it) => {
      const options = { given: [set.confirmed, it.confirmed, ...beside(writer, it.at)], choice: true }
      reader.claim('connections.state-shared', it.shows({ active_avatar_id: avatar }), options)
    })
    await retrieve(reader, id, (it) => {
      const options = { given: [confirmed, ...beside(writer, it.at)], choice: true }
      // Which of them gets the answer is not said.
      const elsewhere = writer.eventually(event(retrieved, { '/item/id': id }), it.at)
      reader.claim('connections.state-shared', any(it.confirmed, elsewhere), options)
    })
  }
}

interface Both {
  readonly older: Talk
  readonly newer: Talk
  readonly turn: () => string
}

/** One is closed by us, first the newer and then the older; the one that is left goes on working. */
async function loseOne(context: Context, session: OpenSession, { older, newer, turn }: Both): Promise<void> {
  await stayAfter(newer, older, turn())
  const third = await enter(context, session, ['secret.second-connection-admitted'])
  await update(third, { active_avatar_id: turn() }, { told: 'by-avatar' })
  await stayAfter(older, third, turn())
  await third.leave()
}

async function stayAfter(leaving: Talk, staying: Talk, avatar: string): Promise<void> {
  const now = { mark: leaving.context.mark('one of two connections is closed') }
  const both = { given: [...beside(staying, now), ...beside(leaving, now)], choice: true }
  const works = event('session.updated', { '/session/active_avatar_id': avatar })
  staying.claim('connections.one-closing-leaves-other', staying.eventually(works, now), both)
  await leaving.channel.close()
  await staying.channel.watch(momentMs)
  await update(staying, { active_avatar_id: avatar }, { told: 'by-avatar' })
}
