import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, admitted, all, answer, distinct, equals, rejected, same, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { begin, beginInVain, get, list, needsCharacters, remove, replace, save, saveWhole } from '../acts.ts'
import { ada, bea, cleo, named, pairCharacter, richCharacter } from '../bodies.ts'
import { Line } from '../session/channel.ts'
import { seenInLife } from '../proves.ts'

/** Timestamps tell whole seconds: what happens within one may leave them as they were. */
const second_ms = 1_100

const ofConversation = [
  'characters.configuration.conversation-instructions-echoed',
  'characters.configuration.response-defaults-echoed',
  'characters.session.conversation-instructions-saved',
  'characters.session.response-defaults-saved',
] as const satisfies readonly RequirementId[]

const claimed = [
  'characters.create.text-chat-accepted',
  'characters.create.several-avatars-accepted',
  'characters.create.output-unneeded-in-text-chat',
  'characters.session.starts-by-id-alone',
  'characters.session.retry-same-session',
  'characters.session.found-by-get',
  'characters.session.closes',
  'characters.session.admits-control',
  'characters.session.control-knows-avatars',
  'characters.session.control-unknown-avatar-error',
  'characters.session.control-speaks',
  'characters.session.edit-leaves-running',
  'characters.session.several-from-one',
  'characters.session.other-key-other-session',
  'characters.replace.accepted',
  'characters.delete.accepted',
  'characters.delete.status-deleted',
  'characters.delete.character-id',
  'characters.deleted.running-session-kept',
  'characters.deleted.running-session-admits',
  'characters.deleted.running-session-speaks',
  'characters.deleted.get-rejected',
  'characters.deleted.replace-rejected',
  'characters.deleted.replace-revives-nothing',
  'characters.deleted.delete-rejected',
  'characters.deleted.starts-no-session',
  'characters.code-20005.get-deleted',
  'characters.code-20005.replace-deleted',
  'characters.code-20005.delete-deleted',
  'characters.code-20005.start-deleted',
  'characters.list.hides-deleted',
  'control-channel.isolation.items-not-shared',
  'characters.create.model-lite-accepted',
  'avatar-sessions.list.shows-open-sessions',
] as const satisfies readonly RequirementId[]

/** From its creation to after its end: one character, saved twice, with a session of either state. */
export const life: Scenario = {
  id: 'characters.life-of-a-character',
  needs: needsCharacters,
  proves: [...claimed, ...seenInLife],
  price: { requests: { primary: 28 }, typical: 22, sessions: { primary: 1 }, waits: 2 },
  async drive(c) {
    const it = await born(c)
    await get(c, it.id)
    await c.wait(second_ms, 'timer')
    const idempotency_key = c.id('start')
    const first = await startByIdAlone(c, { character_id: it.id, idempotency_key })
    const line = await meet(c, first)
    const item = c.id('item')
    const noted = await line.note(item)
    await c.call('list-avatar-sessions')
    const got = await seen(c, it.id)
    const replaced = await edit(c, it.id)
    await unmoved(line, replaced)
    await startTwice(c, first, { character_id: it.id, idempotency_key })
    const finished = () => finish(c, line, first)
    const { second, beside } = await startAgain(c, { character_id: it.id, first, finished })
    const deleted = await outlive(c, second, it.id, { item, noted, ...(beside ? { line } : {}) })
    if (beside) await finished()
    await c.close(second)
    // Closing takes a moment: what asks at once asks twice.
    await c.wait(200, 'backoff')
    await c.closed(second)
    await treatedAsUnknown(c, it.id, { get: got, replace: replaced, delete: deleted, start: second.exchange })
  },
}

async function born(c: Context): Promise<{ readonly id: string }> {
  const looks = twoLooks(c)
  for (const row of ['text-chat-accepted', 'several-avatars-accepted', 'output-unneeded-in-text-chat'] as const) {
    c.claim(`characters.create.${row}`, either(looks, accepted))
  }
  const whole = await saveWhole(c, richCharacter(c), looks)
  if (whole.exchange === looks[1]) leaveOpen(c, looks[0])
  return whole
}

/** Nothing is seen of what a save of a character must not hold here: 4.2 does not name it. */
function leaveOpen(c: Context, refused: number): void {
  const choice = { given: [accepted(refused)], given_code: 'model_choice' } as const
  for (const row of ofConversation) c.claim(row, accepted(refused), choice)
}

function startByIdAlone(c: Context, body: JsonObject): Promise<OpenSession> {
  const exchange = c.exchange()
  c.claim('characters.session.starts-by-id-alone', accepted(exchange))
  return begin(c, body, { exchange })
}

/** The same start again, with its key: while its session is open, whatever was saved since. */
async function startTwice(c: Context, { exchange: first }: OpenSession, body: JsonObject): Promise<void> {
  const again = c.exchange()
  const ids = [answer(first, '/data/session_id'), answer(again, '/data/session_id')] as const
  c.claim('characters.session.retry-same-session', same(...ids), {
    given: [accepted(again)],
    given_code: 'model_choice',
  })
  // At the concurrency limit a repeated start may be told so.
  await c.call('create-session-from-character', { exchange: again, body, retry: 'never' })
}

/** The session is one like any other: found, admitted, answering. */
async function meet(c: Context, session: OpenSession): Promise<Line> {
  const [exchange, channel] = [c.exchange(), c.channelNumber()]
  c.claim('characters.session.found-by-get', accepted(exchange))
  await c.call('get-avatar-session', { exchange, params: { session_id: session.id } })
  c.claim('characters.session.admits-control', admitted(channel))
  const line = new Line(c, await c.connect(session, { channel }))
  const rows = ['characters.session.control-knows-avatars', 'characters.session.admits-control'] as const
  await line.choose(bea, { rows })
  const chosen = await line.choose(ada, { rows })
  await line.refuse('nobody', { rows: ['characters.session.control-unknown-avatar-error'], given: [chosen] })
  await line.speak({ rows: ['characters.session.control-speaks'] })
  return line
}

async function seen(c: Context, id: string): Promise<number> {
  const exchange = c.exchange()
  await get(c, id, { exchange })
  return exchange
}

/** Another record: without Ada, with Cleo, and without most of what was saved. */
async function edit(c: Context, id: string): Promise<number> {
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
}

/** The session that runs has the avatars with which it was started. */
async function unmoved(line: Line, replaced: number): Promise<void> {
  const rows = ['characters.session.edit-leaves-running'] as const
  const given = [accepted(replaced), await line.choose(bea)]
  await line.choose(ada, { rows, given })
  await line.refuse(cleo, { rows, given })
}

async function finish(c: Context, { channel }: Line, session: OpenSession): Promise<void> {
  await channel.close()
  const exchange = c.exchange()
  c.claim('characters.session.closes', accepted(exchange))
  await c.close(session, { exchange })
}

interface Earlier {
  readonly character_id: string
  readonly first: OpenSession
  /** Ends it. */
  readonly finished: () => Promise<void>
}

/** Beside the first session where there is room for two, else after it. */
async function startAgain(
  c: Context,
  { character_id, first, finished }: Earlier,
): Promise<{ readonly second: OpenSession; readonly beside: boolean }> {
  const body = { character_id, idempotency_key: c.id('start') }
  const [one, room, after] = [first.exchange, c.exchange(), c.exchange()]
  const early = await c.call('create-session-from-character', { exchange: room, body, retry: 'never' })
  const other = early.ok ? room : after
  c.claim('characters.session.several-from-one', accepted(other))
  for (const path of ['/data/session_id', '/data/control/client_secret']) {
    c.claim('characters.session.several-from-one', distinct(answer(one, path), answer(other, path)))
  }
  const ids = distinct(answer(one, '/data/session_id'), answer(other, '/data/session_id'))
  c.claim('characters.session.other-key-other-session', ids)
  if (early.ok) return { second: c.adopt(early), beside: true }
  await finished()
  return { second: await begin(c, body, { exchange: other }), beside: false }
}

/** What was said in another session of the same character, and its line where it goes on. */
interface Elder {
  readonly item: string
  readonly noted: Condition
  readonly line?: Line
}

/** "Sessions already running are not interrupted" (3.6): neither the last one nor one before it. */
async function outlive(c: Context, session: OpenSession, id: string, elder: Elder): Promise<number> {
  const [exchange, again] = [c.exchange(), c.channelNumber()]
  const line = new Line(c, await c.connect(session))
  const own = c.id('item')
  await line.note(own)
  line.seek(elder.item, 'control-channel.isolation.items-not-shared', [elder.noted, await line.find(own)])
  const before = await line.choose(bea)
  const elderBefore = await elder.line?.choose(bea)
  c.claim('characters.delete.accepted', accepted(exchange))
  c.claim('characters.delete.status-deleted', equals(answer(exchange, '/data/status'), value('deleted')))
  c.claim('characters.delete.character-id', equals(answer(exchange, '/data/character_id'), value(id)))
  await remove(c, id, { exchange })
  const told = { given: [accepted(exchange), before], after: { exchange, edge: 'answered' } as const }
  await line.choose(cleo, { ...told, rows: ['characters.deleted.running-session-kept'] })
  if (elder.line !== undefined && elderBefore !== undefined) {
    const given = [accepted(exchange), elderBefore]
    await elder.line.choose(ada, { ...told, given, rows: ['characters.deleted.running-session-kept'] })
  }
  await line.speak({ ...told, rows: ['characters.deleted.running-session-speaks'] })
  await line.channel.close()
  const rows = ['characters.deleted.running-session-admits'] as const
  for (const row of rows) c.claim(row, admitted(again), { given: told.given })
  const channel = await c.open(session, { channel: again })
  if (channel.state === 'open') await new Line(c, channel).choose(bea, { rows, given: told.given })
  await channel.close()
  return exchange
}

type Deed = 'get' | 'replace' | 'delete' | 'start'

/** "a deleted character cannot start a session and is treated as not found by get, update and delete" (3.6). */
async function treatedAsUnknown(c: Context, id: string, twins: Readonly<Record<Deed, number>>): Promise<void> {
  const numbers = { replace: c.exchange(), delete: c.exchange(), start: c.exchange() }
  const looks = twoLooks(c)
  // Whether it was deleted at all is not known where a proxy answered that.
  const gone = (deed: Deed) => all(accepted(twins[deed]), accepted(twins.delete))
  const rows = {
    replace: 'characters.deleted.replace-rejected',
    delete: 'characters.deleted.delete-rejected',
    start: 'characters.deleted.starts-no-session',
  } as const
  for (const deed of ['replace', 'delete', 'start'] as const) {
    c.claim(rows[deed], rejected(numbers[deed], gone(deed)))
    c.claim(`characters.code-20005.${deed}-deleted`, rejected(numbers[deed], gone(deed), [20005]))
  }
  const again = c.exchange()
  c.claim(rows.start, rejected(again, gone('start')))
  const unseen = (exchange: number) => rejected(exchange, gone('get'))
  c.claim('characters.deleted.get-rejected', either(looks, unseen))
  c.claim('characters.deleted.replace-revives-nothing', either(looks, unseen))
  // The second look is taken where the first one finds it still.
  for (const [exchange, given] of [
    [looks[0], unseen(looks[0])],
    [looks[1], accepted(looks[0])],
  ] as const) {
    const notFound = rejected(exchange, gone('get'), [20005])
    c.claim('characters.code-20005.get-deleted', notFound, { given: [given], given_code: 'model_choice' })
  }
  await replace(c, id, pairCharacter(c, 'revived'), { exchange: numbers.replace })
  await lookTwice(
    c,
    looks,
    (exchange) => get(c, id, { exchange }),
    ({ ok }) => !ok,
  )
  await remove(c, id, { exchange: numbers.delete })
  for (const exchange of [numbers.start, again]) await beginInVain(c, { character_id: id }, { exchange })
  const other = await saveAnother(c)
  await list(c, 'primary', (shown) => !shown.has(id) && (other === undefined || shown.has(other)))
}

/** So that the list has something to show. */
async function saveAnother(c: Context): Promise<string | undefined> {
  const exchange = c.exchange()
  const lite = c.offers('lite_model')
  if (lite) c.claim('characters.create.model-lite-accepted', accepted(exchange))
  const body = { ...pairCharacter(c, 'after'), ...(lite ? { model: 'svc-a1-stream-lite' } : {}) }
  return (await save(c, body, { exchange })) ?? (await save(c, pairCharacter(c, 'after')))
}
