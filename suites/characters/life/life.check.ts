import type { Channel } from '#client/types'
import type { OpenSession } from '#scenario/author/context'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { acceptance, outcome, rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { look } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, admitted, all, answer, distinct, equals, rejected, same, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { begin, beginInVain, get, list, needsCharacters, remove, replace, save, saveWhole } from '../acts.ts'
import { ada, bea, cleo, named, pairCharacter, richCharacter } from '../bodies.ts'
import { choose, find, note, refuseAvatar, seek, speak } from '../session/channel-acts.ts'
import { seenInLife } from '../proves.ts'

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
  const looks = twoLooks(c)
  for (const row of savedRows) c.claim(row, either(looks, accepted))
  const { id, exchange } = await saveWhole(c, richCharacter(c), looks)
  // Nothing is seen of what a save of a character must not hold here: 4.2 does not name it.
  if (exchange === looks[1]) c.expect(acceptance(ofConversation, { onlyIf: [accepted(looks[0])] }), looks[0])
  return id
})

const retried = 'characters.session.retry-same-session'
const sessionIn = (exchange: number) => answer(exchange, '/data/session_id')

/** The same start again, with its key: while its session is open, whatever was saved since. */
const startTwice = step([retried], async (c, { exchange: first }: OpenSession, body: JsonObject) => {
  const expect = outcome(
    retried,
    (again) => same(sessionIn(first), sessionIn(again)),
    (again) => ({ onlyIf: [accepted(again)] }),
  )
  // At the concurrency limit a repeated start may be told so.
  await c.call('create-session-from-character', { body, retry: 'never', expect })
})

/** The session is one like any other: found, admitted, answering. */
const meet = step(
  [
    'characters.session.found-by-get',
    'characters.session.admits-control',
    'characters.session.control-knows-avatars',
    'characters.session.control-unknown-avatar-error',
    'characters.session.control-speaks',
  ],
  async (c, session: OpenSession): Promise<Channel> => {
    await look(c, session, { expect: acceptance('characters.session.found-by-get') })
    const number = c.channelNumber()
    c.claim('characters.session.admits-control', admitted(number))
    const channel = await c.connect(session, { channel: number })
    const rows = ['characters.session.control-knows-avatars', 'characters.session.admits-control'] as const
    await choose(c, channel, bea, { rows })
    const given = [await choose(c, channel, ada, { rows })]
    await refuseAvatar(c, channel, 'nobody', { rows: 'characters.session.control-unknown-avatar-error', given })
    await speak(c, channel, { rows: 'characters.session.control-speaks' })
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
  const { exchange } = whole.ok ? whole : await replace(c, id, named(body), { exchange: looks[1] })
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

const finish = step([closes], async (c, channel: Channel, session: OpenSession) => {
  await channel.close()
  await c.close(session, { expect: acceptance(closes) })
})

interface Earlier {
  readonly first: OpenSession
  readonly channel: Channel
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

/** What was said in another session of the same character, and its channel where it goes on. */
interface Elder {
  readonly id: string
  readonly item: string
  readonly noted: Condition
  readonly channel: Channel | undefined
}

const outlives = {
  kept: 'characters.deleted.running-session-kept',
  speaks: 'characters.deleted.running-session-speaks',
  admits: 'characters.deleted.running-session-admits',
} as const
const isolated = 'control-channel.isolation.items-not-shared'

/** "Sessions already running are not interrupted" (3.6): neither the last one nor one before it. @returns the delete */
const outlive = step(
  [
    ...Object.values(outlives),
    isolated,
    'characters.delete.accepted',
    'characters.delete.status-deleted',
    'characters.delete.character-id',
  ],
  async (c, session: OpenSession, { id, item, noted, channel: elder }: Elder): Promise<number> => {
    const channel = await c.connect(session)
    const own = c.id('item')
    await note(c, channel, own)
    seek(c, channel, item, { row: isolated, onlyIf: [noted, await find(c, channel, own)] })
    const before = await choose(c, channel, bea)
    const elderBefore = elder && (await choose(c, elder, bea))
    const { exchange } = await remove(c, id, {
      expect: [
        acceptance('characters.delete.accepted'),
        outcome('characters.delete.status-deleted', (gone) => equals(answer(gone, '/data/status'), value('deleted'))),
        outcome('characters.delete.character-id', (gone) => equals(answer(gone, '/data/character_id'), value(id))),
      ],
    })
    const told = { given: [accepted(exchange), before], after: { exchange, edge: 'answered' } as const }
    await choose(c, channel, cleo, { ...told, rows: outlives.kept })
    if (elder !== undefined && elderBefore !== undefined) {
      await choose(c, elder, ada, { ...told, given: [accepted(exchange), elderBefore], rows: outlives.kept })
    }
    await speak(c, channel, { ...told, rows: outlives.speaks })
    await channel.close()
    const again = c.channelNumber()
    c.claim(outlives.admits, admitted(again), { given: told.given })
    const other = await c.open(session, { channel: again })
    if (other.state === 'open') await choose(c, other, bea, { rows: outlives.admits, given: told.given })
    await other.close()
    return exchange
  },
)

type Deed = 'get' | 'replace' | 'delete' | 'start'

const gone = {
  replace: 'characters.deleted.replace-rejected',
  delete: 'characters.deleted.delete-rejected',
  start: 'characters.deleted.starts-no-session',
} as const

const lite = 'characters.create.model-lite-accepted'

/** "a deleted character cannot start a session and is treated as not found by get, update and delete" (3.6). */
const treatedAsUnknown = step(
  [
    ...Object.values(gone),
    'characters.code-20005.replace-deleted',
    'characters.code-20005.delete-deleted',
    'characters.code-20005.start-deleted',
    'characters.code-20005.get-deleted',
    'characters.deleted.get-rejected',
    'characters.deleted.replace-revives-nothing',
    lite,
  ],
  async (c, id: string, done: Readonly<Record<Deed, number>>) => {
    const looks = twoLooks(c)
    // Whether it was deleted at all is not known where a proxy answered that.
    const control = (deed: Deed) => all(accepted(done[deed]), accepted(done.delete))
    const unknown = <Of extends keyof typeof gone>(deed: Of) =>
      rejection<(typeof gone)[Of] | `characters.code-20005.${Of}-deleted`>({
        rows: gone[deed],
        coded: `characters.code-20005.${deed}-deleted`,
        codes: [20005],
        control: control(deed),
      })
    const unseen = (exchange: number) => rejected(exchange, control('get'))
    c.claim('characters.deleted.get-rejected', either(looks, unseen))
    c.claim('characters.deleted.replace-revives-nothing', either(looks, unseen))
    // The second look is taken where the first one finds it still.
    const coded = 'characters.code-20005.get-deleted'
    const notFound = (premise: Condition) =>
      rejection({ coded, codes: [20005], control: control('get') }, { onlyIf: [premise] })
    c.expect(notFound(unseen(looks[0])), looks[0])
    c.expect(notFound(accepted(looks[0])), looks[1])
    await replace(c, id, pairCharacter(c, 'revived'), { expect: unknown('replace') })
    const getting = (exchange: number) => get(c, id, { exchange })
    await lookTwice(c, looks, getting, ({ ok }) => !ok)
    await remove(c, id, { expect: unknown('delete') })
    await beginInVain(c, { character_id: id }, { expect: unknown('start') })
    const again = rejection({ rows: gone.start, control: control('start') })
    await beginInVain(c, { character_id: id }, { expect: again })
    // So that the list has something to show.
    const light = c.offers('lite_model')
    const body = { ...pairCharacter(c, 'after'), ...(light ? { model: 'svc-a1-stream-lite' } : {}) }
    const sending = light ? { expect: acceptance(lite) } : {}
    const other = (await save(c, body, sending)) ?? (await save(c, pairCharacter(c, 'after')))
    await list(c, 'primary', (shown) => !shown.has(id) && (other === undefined || shown.has(other)))
  },
)

const byIdAlone = 'characters.session.starts-by-id-alone'

/** From its creation to after its end: one character, saved twice, with a session of either state. */
export const life = scenario({
  id: 'characters.life-of-a-character',
  needs: needsCharacters,
  steps: [create, meet, edit, staysAsStarted, startTwice, startAgain, outlive, treatedAsUnknown],
  claims: [byIdAlone],
  observes: [...seenInLife, 'characters.list.hides-deleted', 'avatar-sessions.list.shows-open-sessions'],
  price: { requests: { primary: 28 }, typical: 22, sessions: { primary: 1 }, waits: 2 },
  async drive(c) {
    const id = await create(c)
    await get(c, id)
    await c.wait(second_ms, 'timer')
    const body = { character_id: id, idempotency_key: c.id('start') }
    const first = await begin(c, body, { expect: acceptance(byIdAlone) })
    const channel = await meet(c, first)
    const item = c.id('item')
    const noted = await note(c, channel, item)
    await c.call('list-avatar-sessions')
    const found = await get(c, id)
    const replaced = await edit(c, id)
    await staysAsStarted(c, channel, replaced)
    await startTwice(c, first, body)
    const { second, beside } = await startAgain(c, id, { first, channel })
    const deleted = await outlive(c, second, { id, item, noted, channel: beside ? channel : undefined })
    if (beside) await finish(c, channel, first)
    await c.close(second)
    // Closing takes a moment: what asks at once asks twice.
    await c.wait(200, 'backoff')
    await c.closed(second)
    const done = { get: found.exchange, replace: replaced, delete: deleted, start: second.exchange }
    await treatedAsUnknown(c, id, done)
  },
})
