import type { Channel } from '#client/types'
import type { OpenSession } from '#scenario/author/context'
import { listWith } from '#scenario/author/look-for-sessions'
import { either, twoLooks } from '#scenario/author/look-twice'
import { acceptance, outcome } from '#scenario/author/expectation'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { look } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, admitted, answer, distinct } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { begin, get, keyedAnew, needsCharacters, removeOwn, replace, saveWhole } from '../acts.ts'
import { closeOrShow } from './close-or-show.ts'
import { hidden, optionalGone, treatedAsUnknown } from './gone.ts'
import { outlastDelete } from './outlast.ts'
import { ada, bea, cleo, named, pairCharacter, richCharacter } from '../bodies.ts'
import { converse, refuseAfterClose, nameMode, seenInTalk } from '../session/converse.ts'
import { retried, startTwice } from '../session/start-twice.ts'
import {
  added,
  addEach,
  choose,
  find,
  note,
  refuseAvatar,
  refuseSecretOf,
  seek,
  speak,
} from '../session/channel-acts.ts'
import { seenInEdit, seenInLife, seenInSaves, seenInStarts, seenLater } from '../observed.ts'

/** Timestamps tell whole seconds: what happens within one may leave them as they were. */
const second_ms = 1_100

const ofConversation = [
  'characters.configuration.conversation-instructions-echoed',
  'characters.configuration.response-defaults-echoed',
  'characters.session.conversation-instructions-saved',
  'characters.session.response-defaults-saved',
] as const

const savedRows = [
  'characters.create.text-chat-accepted',
  'characters.create.several-avatars-accepted',
  'characters.create.output-unneeded-in-text-chat',
] as const

const create = step([...savedRows, ...ofConversation], async (c): Promise<string> => {
  const looks = [...twoLooks(c), ...twoLooks(c)]
  for (const row of savedRows) c.claim(row, either(looks, accepted))
  const { id, exchange } = await saveWhole(c, richCharacter(c), looks)
  // Nothing is seen of what a save of a character must not hold here: 4.2 does not name it.
  const [whole = exchange] = looks
  if (exchange !== whole) c.expect(acceptance(ofConversation, { onlyIf: [accepted(whole)] }), whole)
  return id
})

const foundByGet = 'characters.session.found-by-get'

/** The session is one like any other: admitted, answering. */
const meet = step(
  [
    'characters.session.admits-control',
    'characters.session.control-knows-avatars',
    'characters.session.control-unknown-avatar-error',
    'characters.session.control-speaks',
    ...Object.values(added),
  ],
  async (c, session: OpenSession): Promise<Channel> => {
    const number = c.channelNumber()
    c.claim('characters.session.admits-control', admitted(number))
    const channel = await c.connect(session, { channel: number })
    const rows = ['characters.session.control-knows-avatars', 'characters.session.admits-control'] as const
    await choose(c, channel, bea, { rows })
    await nameMode(c, channel)
    const given = [await choose(c, channel, ada, { rows })]
    // All of it is the session's own: its character stays as it was saved, which Get shows after it.
    await addEach(c, channel, given)
    await choose(c, channel, bea)
    await refuseAvatar(c, channel, 'nobody', { rows: 'characters.session.control-unknown-avatar-error', given })
    await speak(c, channel, { rows: 'characters.session.control-speaks' })
    await converse(c, channel)
    return channel
  },
)

/** Another record: without Ada, with Cleo, and without most of what was saved. @returns the replace */
const edit = step(['characters.replace.accepted'], async (c, id: string): Promise<number> => {
  const looks = twoLooks(c)
  c.claim('characters.replace.accepted', either(looks, accepted))
  const body: JsonObject = {
    ...pairCharacter(c, 'edited'),
    idempotency_key: c.id('save'),
    session: { mode: 'text_chat', active_avatar_id: cleo },
    // The mark of the run goes into the instructions of the first: those of Bea have to be omitted.
    avatars: [{ avatar_id: cleo, instructions: 'You are Cleo. Answer in one short sentence.' }, { avatar_id: bea }],
    // Of the saved defaults, the number of tokens is omitted.
    conversation: { instructions: 'Speak of mountains.', response_defaults: { temperature: 0.9 } },
  }
  const whole = await replace(c, id, body, { exchange: looks[0] })
  const { exchange } = whole.ok ? whole : await replace(c, id, keyedAnew(c, named(body)), { exchange: looks[1] })
  await get(c, id)
  return exchange
})

const kept = 'characters.session.edit-leaves-running'

/** The session that runs has the avatars with which it was started. */
const staysAsStarted = step([kept], async (c, channel: Channel, replaced: number) => {
  const given = [accepted(replaced), await choose(c, channel, bea)]
  await choose(c, channel, ada, { rows: kept, given })
  await refuseAvatar(c, channel, cleo, { rows: kept, given })
})

const closes = 'characters.session.closes'

const finish = step([closes], async (c, channel: Channel | undefined, session: OpenSession) => {
  await channel?.close()
  await closeOrShow(c, session, { expect: acceptance(closes) })
})

interface Earlier {
  readonly first: OpenSession
  readonly channel: Channel | undefined
}

const several = 'characters.session.several-from-one'
const otherKey = 'characters.session.other-key-other-session'

/** Beside the first session where there is room for two, else after it. */
const startAgain = step([finish, several, otherKey], async (c, character_id: string, { first, channel }: Earlier) => {
  const body = { character_id, idempotency_key: c.id('start') }
  const early = await c.call('create-session-from-character', { body, retry: 'never' })
  const isOther = (path: string) => (other: number) => distinct(answer(first.exchange, path), answer(other, path))
  const exchange = c.expect(
    [
      acceptance(several),
      ...['/data/session_id', '/data/control/client_secret'].map((path) => outcome(several, isOther(path))),
      outcome(otherKey, isOther('/data/session_id')),
    ],
    early.ok ? early.exchange : c.exchange(),
  )
  if (early.ok) return { second: c.adopt(early), beside: true }
  await finish(c, channel, first)
  return { second: await begin(c, body, { exchange }), beside: false }
})

/** Another session of the same character, what was said in it, and its channel where it goes on. */
interface Elder {
  readonly session: OpenSession
  readonly id: string
  readonly item: string
  readonly noted: Condition | undefined
  readonly channel: Channel | undefined
}

const outlives = {
  kept: 'characters.deleted.running-session-kept',
  speaks: 'characters.deleted.running-session-speaks',
  admits: 'characters.deleted.running-session-admits',
} as const
const isolated = 'control-channel.isolation.items-not-shared'
const foreign = 'control-channel.secret.other-session-token-refused'

const deleteAccepted = 'characters.delete.accepted'
/** What the answer to a delete tells. */
const deleted = ['characters.delete.status-deleted', 'characters.delete.character-id'] as const

/** The delete, and the number of a channel that the last session had open before. */
interface Gone {
  readonly exchange: number
  readonly admitted?: number
}

/** "Sessions already running are not interrupted" (3.6): neither the last one nor one before it. @returns the delete */
const outlive = step(
  [...Object.values(outlives), isolated, foreign, deleteAccepted],
  async (c, session: OpenSession, { id, item, noted, channel: elder, session: first }: Elder): Promise<Gone> => {
    const removal = { id, another: () => pairCharacter(c, 'another') }
    if (!c.takes('outlive')) return await removeOwn(c, deleteAccepted, removal)
    const control = c.channelNumber()
    // Before the right one comes in: a service may refuse whoever comes second, whatever he bears.
    if (elder !== undefined && c.takes('apart')) await refuseSecretOf(c, first, session, { row: foreign, control })
    const channel = await c.connect(session, { channel: control })
    if (noted !== undefined && c.takes('apart')) {
      const own = c.id('item')
      await note(c, channel, own)
      seek(c, channel, item, { row: isolated, onlyIf: [noted, await find(c, channel, own)] })
    }
    const before = await choose(c, channel, bea)
    const elderBefore = elder && (await choose(c, elder, bea))
    const { exchange } = await removeOwn(c, deleteAccepted, removal)
    const at = performance.now()
    // Open sessions are listed, though their character be gone.
    if (c.takes('sessions')) await listWith(c, elder === undefined ? [session] : [session, first])
    const told = { given: [accepted(exchange), before], after: { exchange, edge: 'answered' } as const }
    await choose(c, channel, cleo, { ...told, rows: outlives.kept })
    if (elder !== undefined && elderBefore !== undefined) {
      await choose(c, elder, ada, { ...told, given: [accepted(exchange), elderBefore], rows: outlives.kept })
    }
    await speak(c, channel, { ...told, rows: outlives.speaks })
    await outlastDelete(c, { session, channel, at })
    await channel.close()
    const again = c.channelNumber()
    c.claim(outlives.admits, admitted(again), { given: told.given })
    const other = await c.open(session, { channel: again })
    if (other.state === 'open') await choose(c, other, bea, { rows: outlives.admits, given: told.given })
    await other.close()
    return { exchange, admitted: channel.channel }
  },
)

const listed = 'avatar-sessions.list.shows-open-sessions'

const ended = 'avatar-sessions.close.reaches-closed'
const lists = 'characters.list.accepted'
const underV1 = 'versioning.rest-paths.under-v1'

/** What any list shows that has a character of ours. */
const seenInList = [
  'characters.list.items-array',
  'characters.list.next-page-token-string',
  'characters.list.item-shape',
  'characters.list.item-name',
  'characters.list.item-model',
  'characters.list.item-resolution-only-when-stored',
  'characters.list.item-timestamps-agree',
] as const

/** What is left of it without all of these: a character that is saved, read, used in one session, and deleted. */
const optional: readonly Optional[] = eachRowOnce([
  { id: 'found', rows: [foundByGet], requests: 1 },
  { id: 'meet', rows: meet.claims, also: seenInTalk, requests: 0 },
  { id: 'sessions', rows: [], also: [listed], requests: 1 },
  { id: 'list', rows: [lists, ...seenInList], also: [underV1], requests: 1 },
  { id: 'edit', rows: ['characters.replace.accepted', ...seenInEdit], also: seenInSaves, requests: 2 },
  { id: 'reread', rows: [], also: ['characters.replace.accepted', ...seenInEdit, ...seenInSaves], requests: 1 },
  { id: 'kept', rows: [kept], requests: 0, needs: ['meet', 'edit'] },
  { id: 'retried', rows: [retried], requests: 1, needs: ['edit'] },
  { id: 'again', rows: startAgain.claims.filter((row) => row !== closes), also: seenInStarts, requests: 2 },
  { id: 'later', rows: seenLater, requests: 0, needs: ['edit', 'again'] },
  { id: 'outlive', rows: Object.values(outlives), also: [listed], requests: 0, needs: ['meet', 'edit', 'again'] },
  { id: 'apart', rows: [], also: [isolated, foreign], requests: 0, needs: ['outlive'] },
  ...optionalGone,
])

const byIdAlone = 'characters.session.starts-by-id-alone'

/** From its creation to after its end: one character, saved twice, with a session of either state. */
export const life = scenario({
  id: 'characters.life-of-a-character',
  needs: needsCharacters,
  steps: [create, meet, edit, staysAsStarted, startAgain, outlive, refuseAfterClose, treatedAsUnknown],
  claims: [byIdAlone, lists, foundByGet],
  observes: [retried, ...seenInLife, ...seenInTalk, ...seenInList, hidden, listed, ended, underV1, ...deleted],
  price: { requests: { primary: 38 }, typical: 23, sessions: { primary: 1 }, waits: 5 },
  optional,
  async drive(c) {
    const id = await create(c)
    const read = await get(c, id)
    if (c.takes('edit')) await c.wait(second_ms, 'timer')
    const body = { character_id: id, idempotency_key: c.id('start') }
    const first = await begin(c, body, { expect: acceptance(byIdAlone) })
    if (c.takes('found')) await look(c, first, { expect: acceptance(foundByGet) })
    const channel = c.takes('meet') ? await meet(c, first) : undefined
    const item = c.id('item')
    const noted = channel && (await note(c, channel, item))
    if (c.takes('sessions') && !c.takes('outlive')) await listWith(c, [first])
    if (c.takes('list')) await c.call('list-characters', { expect: acceptance(lists) })
    // By then a session has used it.
    const found = c.takes('reread') ? await get(c, id) : read
    const replaced = c.takes('edit') ? await edit(c, id) : undefined
    if (channel !== undefined && replaced !== undefined && c.takes('kept')) await staysAsStarted(c, channel, replaced)
    if (c.takes('retried')) await startTwice(c, body, first)
    const { second, beside } = c.takes('again')
      ? await startAgain(c, id, { first, channel })
      : { second: first, beside: false }
    if (second === first) await channel?.close()
    const elder = beside ? channel : undefined
    const gone = await outlive(c, second, { id, item, noted, channel: elder, session: first })
    if (beside || second === first) await finish(c, elder, first)
    if (second !== first) await closeOrShow(c, second)
    // Closing takes a moment: what asks at once asks twice.
    if (c.takes('gone-start')) {
      await c.wait(200, 'backoff')
      if (gone.admitted === undefined) await c.closed(second)
      else await refuseAfterClose(c, second, gone.admitted)
    }
    const done = { get: found.exchange, replace: replaced ?? 0, delete: gone.exchange, start: second.exchange }
    await treatedAsUnknown(c, id, done)
  },
})
