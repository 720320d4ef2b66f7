import type { Condition, Pattern } from '#trace/claim'
import { different, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { prose, speech, userMessage } from '../bodies.ts'
import { forRows, given, onlyIf } from '../expectation.ts'
import { takesMore } from '../full.ts'
import { created, deleted, makeItem, retrieve, retrieved } from '../items/items.ts'
import { finish, quiet, start, whole } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'

/** Section 8: "`event_id` length: Up to 512 characters". */
const longest = 512

interface Kind {
  readonly type: string
  readonly confirmation: Pattern
  /** Its own fields, another time others. */
  readonly fields: () => JsonObject
}

/** Client events that are confirmed at once, but for updates. @param spare items that may be deleted */
function kindsIn({ context }: Talk, known: string, spare: string[]): readonly Kind[] {
  const text = 'Please mind the gap.'
  const one = (type: string, confirmation: Pattern, fields: () => JsonObject): Kind => ({ type, confirmation, fields })
  return [
    one('conversation.item.create', event(created, { '/item/role': 'user' }), () => ({ item: userMessage(text) })),
    one('conversation.item.retrieve', event(retrieved, { '/item/id': known }), () => ({ item_id: known })),
    one('conversation.item.delete', event(deleted), () => ({ item_id: spare.pop() ?? '' })),
    one('asset.add', event('asset.added'), () => ({
      assets: { speech_text: [{ asset_id: context.id('asset'), text }] },
    })),
    one('avatar.add', event('avatar.added'), () => ({ avatars: [{ avatar_id: context.id('avatar') }] })),
    one('response.create', event('response.created'), () => ({ response: speech(text) })),
  ]
}

/** What adds something: a session that is full takes none of it, whatever its id. */
const adding = new Set(['conversation.item.create', 'asset.add', 'avatar.add'])

const idRows = rows({ message: 'event-id-optional', 'event-id': '512-accepted 512-non-ascii-accepted' })

/** Letters that a service may not fold, cut or lose: what names an event names it whole. */
const unusual = 'üX'

/** Asks for the same with an id as others are, without one, and with one as long as may be, also of unusual letters. */
const tryIdsOf = claiming({ 'response-created': 'request-event-id-names-request' }, idRows).step(
  async (talk, { type, confirmation, fields }: Kind): Promise<Condition> => {
    const plain = talk.context.id('plain')
    const { confirmed } = await talk.say({ type, event_id: plain, ...fields() }, confirmation)
    await quiet(talk)
    for (const [row, id] of [
      ['message.event-id-optional', {}],
      ['event-id.512-accepted', { event_id: talk.context.id('longest').padEnd(longest, 'x') }],
      ['event-id.512-non-ascii-accepted', { event_id: talk.context.id('wide').padEnd(longest, unusual) }],
    ] as const) {
      await talk.say({ type, ...id, ...fields() }, confirmation, (it) => {
        // What has no id is no request of before.
        const other = different(inEvent(it.answer, '/request_event_id'), value(plain))
        const more = adding.has(type) ? [takesMore(talk, confirmation, it.confirmed)] : []
        talk.expect(forRows(row, onlyIf([confirmed, ...more], it.confirmed)))
        return type === 'response.create'
          ? { 'response-created.request-event-id-names-request': onlyIf([confirmed, it.confirmed], other) }
          : undefined
      })
      await quiet(talk)
    }
    if (adding.has(type)) await talk.say({ type, event_id: talk.context.id('further'), ...fields() }, confirmation)
    return confirmed
  },
)

const changesNothing = 'event-id.513-changes-nothing'

interface Refused {
  readonly fields: JsonObject
  readonly conditions: readonly Condition[]
}

/** An item that was not deleted is still there, and what was not registered is taken now; a further one tells who is full. */
const findUntouched = claiming({ 'event-id': '513-changes-nothing' }).step(
  async (talk, { type, confirmation, fields: others }: Kind, { fields, conditions }: Refused) => {
    const { item_id } = fields
    if (type.endsWith('.delete') && typeof item_id === 'string')
      await retrieve(talk, item_id, (it) => ({ [changesNothing]: onlyIf(conditions, it.confirmed) }))
    if (!adding.has(type)) return
    await talk.say({ type, event_id: talk.context.id('untouched'), ...fields }, confirmation, (it) => ({
      [changesNothing]: onlyIf([...conditions, takesMore(talk, confirmation, it.confirmed)], it.confirmed),
    }))
    await talk.say({ type, event_id: talk.context.id('further'), ...others() }, confirmation)
  },
)

/**
 * One character more than may be, whatever the type: what is refused is not confirmed, and leaves all as it was. One that is
 * taken is confirmed as any other.
 */
const refuseLongIds = claiming({ 'event-id': '513-rejected' }, findUntouched).step(
  async (talk, kinds: readonly (readonly [kind: Kind, control: Condition])[]) => {
    for (const [kind, control] of kinds) {
      const { type, confirmation } = kind
      const fields = kind.fields()
      const event_id = talk.context.id('too-long').padEnd(longest + 1, 'x')
      const { rejected } = await talk.fault(
        { type, event_id, ...fields },
        (it) => ({
          'event-id.513-rejected': onlyIf(control, it.rejected),
          [changesNothing]: onlyIf([control, it.rejected], talk.never(confirmation, it.at, talk.after(1))),
        }),
        { others: [confirmation] },
      )
      await findUntouched(talk, kind, { fields, conditions: [control, rejected] })
    }
  },
)

/** A cancellation with too long an id leaves the response that it is sent for; what is retrieved behind it was handled later. */
const cancelInVain = claiming({ 'event-id': '513-changes-nothing' }).step(async (talk, known: string) => {
  const active = await start(talk, speech(prose(600)))
  const event_id = talk.context.id('too-long').padEnd(longest + 1, 'x')
  const where = { ...active.done.match.where, '/response/status': { $in: ['cancelled', 'incomplete'] } }
  const goesOn = talk.never(event('response.done', where), { event: active.created }, talk.after(2))
  await talk.fault({ type: 'response.cancel', event_id }, (it) => ({
    [changesNothing]: onlyIf([active.started, it.rejected], goesOn),
  }))
  await retrieve(talk, known)
  await finish(talk, active)
})

/** The id of an event is optional, and may be long, whatever its type. */
export const tryIdsOfEach = claiming(
  { 'event-id': '513-rejected 513-changes-nothing' },
  tryIdsOf,
  refuseLongIds,
  cancelInVain,
).step(async (talk) => {
  const { id: known = '' } = await makeItem(talk, userMessage('Stay.'))
  const spare: string[] = []
  for (const _ of [1, 2, 3, 4, 5]) spare.push((await makeItem(talk, userMessage('Go.'))).id ?? '')
  // An item that was not made cannot be deleted.
  const kinds = kindsIn(talk, known, spare).filter(({ type }) => !spare.includes('') || !type.endsWith('.delete'))
  const tried: (readonly [kind: Kind, control: Condition])[] = []
  for (const kind of kinds) tried.push([kind, await tryIdsOf(talk, kind)])
  const spoke = tried.find(([{ type }]) => type === 'response.create')?.[1]
  if (spoke === undefined) return
  const words = 'This has too long an id.'
  const event_id = talk.context.id('too-long').padEnd(longest + 1, 'x')
  await talk.fault({ type: 'response.create', event_id, response: speech(words) }, (it) => ({
    'event-id.513-rejected': given(spoke, it.rejected),
    'event-id.513-changes-nothing': given(spoke, talk.never(whole(words), it.at)),
  }))
  await quiet(talk)
  await refuseLongIds(
    talk,
    tried.filter(([{ type }]) => type !== 'response.create'),
  )
  await cancelInVain(talk, known)
  // The error about what has a long id names that.
  const long = talk.context.id('long').padEnd(longest, unusual)
  await talk.fault({ type: 'session.rewind', event_id: long }, () => ({}))
})
