import type { OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { any, event } from '#trace/conditions'
import { textChat, userMessage } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { deleted, makeItem, remove, retrieve, retrieved, seek } from '../items/items.ts'
import { quiet, respond } from '../responses/responses.ts'
import { type Row, rows } from '../rows.ts'
import { claiming, ofOneSession } from '../step.ts'
import type { Talk } from '../talk.ts'
import { look, takeTurns, update } from '../updates/updates.ts'
import { beside, endWithoutAsker, stayAfter } from './leaving.ts'
import { cutShort, shareAssets } from './shared.ts'

/** Two connections of one session. */
interface Pair<R extends Row> {
  readonly older: Talk<R>
  readonly newer: Talk<R>
  /** Names another avatar each time. */
  readonly turn: () => string
}

async function answerSenders({ older, newer, turn }: Pair<'connections.sender-is-answered'>): Promise<void> {
  for (const [talk, other] of [
    [newer, older],
    [older, newer],
    [newer, older],
  ] as const) {
    const avatar = turn()
    await update(
      talk,
      { active_avatar_id: avatar },
      {
        told: 'by-avatar',
        expect: (it) => {
          const both = beside(other, it.at)
          const answered = onlyIf(both, it.shows({ active_avatar_id: avatar }))
          return { 'connections.sender-is-answered': [answered, onlyIf([it.confirmed, ...both], it.settled)] }
        },
      },
    )
  }
}

/** What a response says comes to the one that asked for it, to its end; whether it comes to the other one too is not said. */
/** @returns that each of them is told of the response that it asks for */
async function answerAskers({ older, newer }: Pair<'connections.sender-is-answered'>): Promise<Map<Talk, Condition>> {
  const told = new Map<Talk, Condition>()
  for (const [talk, other] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const asked = await respond(
      talk,
      { script: { vocal: { type: 'speech', text: 'Good morning.' } } },
      ({ at, created, started }) => {
        const both = beside(other, at)
        const ended = talk.eventually(event('response.done'), { event: created })
        return { 'connections.sender-is-answered': [onlyIf(both, started), onlyIf([started, ...both], ended)] }
      },
    )
    told.set(talk, asked.started)
    await quiet(other)
  }
  return told
}

/** The same fault on each of them; the other one may hear of it too. */
async function refuseSenders({ older, newer }: Pair<'connections.sender-gets-error'>): Promise<void> {
  for (const [talk, other] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const { confirmed } = await makeItem(talk, userMessage('Here I am.'))
    const message = { type: 'session.rewind', event_id: talk.context.id('faulty') }
    await talk.fault(
      message,
      (it) => ({ 'connections.sender-gets-error': onlyIf([...beside(other, it.at), confirmed], it.rejected) }),
      { alone: false },
    )
    await makeItem(talk, userMessage('Still here.'))
  }
}

/** What one connection deletes, the other one does not find any more. */
async function shareEnd(writer: Talk<'connections.state-shared'>, reader: Talk, itemId: string): Promise<void> {
  const { id: known = '', confirmed } = await makeItem(writer, userMessage('This stays.'))
  const gone = await remove(reader, itemId, event(deleted, { '/item_id': itemId }))
  await seek(writer, itemId, known, ({ unseen }) => ({
    'connections.state-shared': onlyIf([confirmed, gone.confirmed], unseen),
  }))
}

/** What one connection sets, the other one finds. */
async function shareState({ older, newer, turn }: Pair<'connections.state-shared'>): Promise<void> {
  for (const [writer, reader] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const avatar = turn()
    const set = await update(writer, { active_avatar_id: avatar }, { told: 'by-avatar' })
    const { id = '', confirmed } = await makeItem(writer, userMessage(`The avatar is called ${avatar}.`))
    await look(reader, (it) => {
      const found = [set.confirmed, it.confirmed, ...beside(writer, it.at)]
      return { 'connections.state-shared': onlyIf(found, it.shows({ active_avatar_id: avatar })) }
    })
    await retrieve(reader, id, (it) => {
      // Which of them gets the answer is not said.
      const elsewhere = writer.eventually(event(retrieved, { '/item/id': id }), it.at)
      const both = [confirmed, ...beside(writer, it.at)]
      return { 'connections.state-shared': onlyIf(both, any(it.confirmed, elsewhere)) }
    })
    await shareEnd(writer, reader, id)
  }
}

const pairRows = rows({
  secret: 'second-connection-admitted',
  connections: 'sender-is-answered sender-gets-error state-shared one-closing-leaves-other',
})

/** One is closed by us, first the newer and then the older; the one that is left goes on working. */
const loseOne = claiming({}, pairRows).sceneStep(
  async (scene, session: OpenSession, { older, newer, turn }: Pair<(typeof pairRows)[number]>) => {
    await stayAfter(older, newer, { active_avatar_id: turn() })
    const third = await scene.expectAdmitted(session, ['secret.second-connection-admitted'])
    await update(third, { active_avatar_id: turn() }, { told: 'by-avatar' })
    await stayAfter(third, older, { active_avatar_id: turn() })
    await third.leave()
  },
)

/** Several control connections of one session, side by side. Whether an older one stays open is not said. */
export const connections = ofOneSession({
  id: 'control-channel.connections',
  claims: pairRows,
  steps: [shareAssets, cutShort, loseOne, endWithoutAsker],
  observes: [],
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const turn = takeTurns()
    const older = await scene.expectAdmitted(session)
    const set = turn()
    const { confirmed } = await update(older, { active_avatar_id: set }, { told: 'by-avatar' })
    const newer = await scene.expectAdmitted(session, ['secret.second-connection-admitted'])
    await look(newer, (it) => ({
      'connections.state-shared': onlyIf([confirmed, it.confirmed], it.shows({ active_avatar_id: set })),
    }))
    const pair = { older, newer, turn }
    await answerSenders(pair)
    const told = await answerAskers(pair)
    await refuseSenders(pair)
    await shareState(pair)
    for (const [reader, writer] of [
      [older, newer],
      [newer, older],
    ] as const)
      await shareAssets(reader, writer, told.get(reader))
    await cutShort(older, newer)
    await loseOne(scene, session, pair)
    const staying = await scene.expectAdmitted(session)
    await endWithoutAsker(staying, await scene.expectAdmitted(session, ['secret.second-connection-admitted']))
    await staying.leave()
  },
})
