import type { Channel } from '#client/types'
import { watchRefusal } from '#scenario/author/watch-refusal'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import type { Rows } from '#scenario/author/expectation'
import type { Condition, Pattern, Point } from '#trace/claim'
import { eventually, event, never, refused } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'

/** A line that is spoken within a moment. */
const line = 'Good evening, and welcome.'

/** What is said of the answer to an event. */
interface Telling<Row extends RequirementId> {
  readonly rows?: Rows<Row>
  readonly given?: readonly Condition[]
  /** From when on the answer is awaited; default the event itself, which can't be sent once the channel is closed. */
  readonly after?: Point
  /** What ends the wait for the answer; default the answer. */
  readonly awaits?: Pattern | readonly Pattern[]
}

/** An event of this type, or an `error`. */
const answerOf = (type: string): Pattern => ({ where: { '/type': { $in: [type, 'error'] } } })

/** Makes an avatar the active one. @returns that it was done */
export function choose<Row extends RequirementId>(
  c: Context<Row>,
  channel: Channel,
  active_avatar_id: string,
  telling: Telling<Row> = {},
): Promise<Condition> {
  const event_id = c.id('choose')
  const match = event('session.updated', { '/event_id': event_id, '/session/active_avatar_id': active_avatar_id })
  return ask(c, channel, { type: 'session.update', event_id, session: { active_avatar_id } }, { ...telling, match })
}

/** Tries to make an avatar active that the session doesn't have. */
export async function refuseAvatar<Row extends RequirementId>(
  c: Context<Row>,
  channel: Channel,
  active_avatar_id: string,
  telling: Telling<Row>,
): Promise<void> {
  const event_id = c.id('nobody')
  const match = event('error', { '/error/event_id': { $in: [event_id, null, ''], $absent: true } })
  await ask(c, channel, { type: 'session.update', event_id, session: { active_avatar_id } }, { ...telling, match })
}

/** A scripted response, heard to its end. An opening of the service's own may be speaking still: it waits for that. */
export async function speak<Row extends RequirementId>(
  c: Context<Row>,
  channel: Channel,
  telling: Telling<Row>,
): Promise<void> {
  const response = {
    script: { vocal: { type: 'speech', text: line } },
    scheduling_policy: 'after_current_response',
  }
  const match = [
    event('response.output_text.done', { '/text': line }),
    event('response.done', { '/response/output/0/content/0/text': line }),
  ]
  const message = { type: 'response.create', event_id: c.id('speak'), response }
  const frame = channel.nextFrame()
  await ask(c, channel, message, { ...telling, match, frame, patience: 2 })
  await channel.next(event('response.done'), { after: frame, within_ms: c.timeouts.event_ms })
}

/** Puts an item into the conversation. @returns that it has this id: a service may give another one */
export function note(c: Context, channel: Channel, id: string): Promise<Condition> {
  const item = { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I was here before.' }] }
  const message = { type: 'conversation.item.create', event_id: c.id('note'), item }
  const match = event('conversation.item.created', { '/item/id': id })
  return ask(c, channel, message, { match, awaits: answerOf('conversation.item.created') })
}

/** What a session takes that was created directly, it takes from a character, too. */
export const added = {
  avatar: 'control-channel.avatar-add.accepted',
  text: 'control-channel.asset-add.speech-text-accepted',
  item: 'control-channel.item-create.user-text-accepted',
} as const
type Added = (typeof added)[keyof typeof added]

/** Adds an avatar, a text and an item to the session: its character has them no more than before. */
export async function addEach(c: Context<Added>, channel: Channel, given: readonly Condition[]): Promise<void> {
  const avatar = { avatar_id: c.id('guest'), instructions: 'You are a guest. Answer in one short sentence.' }
  const text = { asset_id: c.id('text'), text: 'Mind the gap.' }
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Please listen.' }] }
  const acts = [
    { rows: added.avatar, type: 'avatar.add', confirmation: 'avatar.added', fields: { avatars: [avatar] }, shown: {} },
    {
      rows: added.text,
      type: 'asset.add',
      confirmation: 'asset.added',
      fields: { assets: { speech_text: [text] } },
      shown: {},
    },
    // What is spoken later is an item, too.
    {
      rows: added.item,
      type: 'conversation.item.create',
      confirmation: 'conversation.item.created',
      fields: { item },
      shown: { '/item/role': 'user' },
    },
  ] as const
  for (const { rows, type, confirmation, fields, shown } of acts) {
    const message = { type, event_id: c.id('add'), ...fields }
    await ask(c, channel, message, { rows, given, match: event(confirmation, shown), awaits: answerOf(confirmation) })
  }
}

/** Retrieves an item. @returns that it was found */
export function find(c: Context, channel: Channel, item_id: string): Promise<Condition> {
  const message = { type: 'conversation.item.retrieve', event_id: c.id('find'), item_id }
  const match = event('conversation.item.retrieved', { '/item/id': item_id })
  return ask(c, channel, message, { match, awaits: answerOf('conversation.item.retrieved') })
}

/** Looks for an item of another session: an `error` comes, or nothing. */
export function seek<Row extends RequirementId>(
  c: Context<Row>,
  channel: Channel,
  item_id: string,
  { row, onlyIf }: { readonly row: Row; readonly onlyIf: readonly Condition[] },
): void {
  const [frame, closed] = [channel.nextFrame(), { channel: channel.channel, edge: 'closed' } as const]
  const found = event('conversation.item.retrieved', { '/item/id': item_id })
  c.claim(row, never(channel.channel, found, { frame }, closed), { onlyIf })
  channel.send({ type: 'conversation.item.retrieve', event_id: c.id('seek'), item_id }, frame)
}

/** Tries to connect to a session with the secret of another; `control` is the number of a channel that its own secret opens. */
export async function refuseSecretOf<Row extends RequirementId>(
  c: Context<Row>,
  other: OpenSession,
  session: OpenSession,
  { row, control }: { readonly row: Row; readonly control: number },
): Promise<void> {
  const secret = textAt(other.data, '/control/client_secret')
  if (secret === undefined) return
  const number = c.channelNumber()
  c.claim(row, refused(number, control))
  const foreign = await c.open(session, { channel: number, secret, expects_refusal: true })
  await watchRefusal(c, foreign)
  await foreign.close()
}

interface Asking<Row extends RequirementId> extends Telling<Row> {
  readonly match: Pattern | readonly Pattern[]
  /** How often the usual time is waited for the answer. */
  readonly patience?: number
  /** Number of the event, where it was reserved. */
  readonly frame?: number
}

/** Claims first, then the event. */
async function ask<Row extends RequirementId>(
  c: Context<Row>,
  channel: Channel,
  message: JsonObject,
  { rows = [], given = [], match, patience = 1, frame = channel.nextFrame(), ...more }: Asking<Row>,
): Promise<Condition> {
  const { after = { frame }, awaits = match } = more
  const within = patience * c.timeouts.event_ms
  const comes = eventually(channel.channel, after, match, within)
  for (const row of typeof rows === 'string' ? [rows] : rows) c.claim(row, comes, given.length === 0 ? {} : { given })
  if (channel.state !== 'open') return comes
  channel.send(message, frame)
  await channel.next(awaits, { after: frame, within_ms: within + 20 })
  return comes
}
