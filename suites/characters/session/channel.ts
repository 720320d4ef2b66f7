import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition, Pattern, Point } from '#trace/claim'
import { eventually, event, never } from '#trace/conditions'
import type { JsonObject } from '#trace/json'

/** A line that is spoken within a moment. */
const line = 'Good evening, and welcome.'

/** What is said of the answer to an event. */
export interface Telling {
  readonly rows?: readonly RequirementId[]
  readonly given?: readonly Condition[]
  /** From when on the answer is awaited; default the event itself, which can't be sent once the channel is closed. */
  readonly after?: Point
  /** What ends the wait for the answer; default the answer. */
  readonly awaits?: Pattern
}

/** An event of this type, or an `error`. */
const answerOf = (type: string): Pattern => ({ where: { '/type': { $in: [type, 'error'] } } })

/** Speaks on the control channel of a session that was started from a character: claims first, then the event. */
export class Line {
  readonly c: Context
  readonly channel: Channel

  constructor(c: Context, channel: Channel) {
    this.c = c
    this.channel = channel
  }

  /** Makes an avatar the active one. @returns that it was done */
  choose(active_avatar_id: string, telling: Telling = {}): Promise<Condition> {
    const event_id = this.c.id('choose')
    const match = event('session.updated', { '/event_id': event_id, '/session/active_avatar_id': active_avatar_id })
    return this.#ask({ type: 'session.update', event_id, session: { active_avatar_id } }, match, telling)
  }

  /** Tries to make an avatar active that the session doesn't have. */
  async refuse(active_avatar_id: string, telling: Telling): Promise<void> {
    const event_id = this.c.id('nobody')
    const match = event('error', { '/error/event_id': { $in: [event_id], $absent: true } })
    await this.#ask({ type: 'session.update', event_id, session: { active_avatar_id } }, match, telling)
  }

  /** A scripted response, heard to its end. */
  async speak(telling: Telling): Promise<void> {
    const event_id = this.c.id('speak')
    const response = { script: { vocal: { type: 'speech', text: line } } }
    const match = event('response.done', { '/response/status': 'completed' })
    await this.#ask({ type: 'response.create', event_id, response }, match, telling, 2)
  }

  /** Puts an item into the conversation. @returns that it has this id: a service may give another one */
  note(id: string): Promise<Condition> {
    const item = { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I was here before.' }] }
    const message = { type: 'conversation.item.create', event_id: this.c.id('note'), item }
    const match = event('conversation.item.created', { '/item/id': id })
    return this.#ask(message, match, { awaits: answerOf('conversation.item.created') })
  }

  /** Retrieves an item. @returns that it was found */
  find(item_id: string): Promise<Condition> {
    const message = { type: 'conversation.item.retrieve', event_id: this.c.id('find'), item_id }
    const match = event('conversation.item.retrieved', { '/item/id': item_id })
    return this.#ask(message, match, { awaits: answerOf('conversation.item.retrieved') })
  }

  /** Looks for an item of another session: an `error` comes, or nothing. */
  seek(item_id: string, row: RequirementId, given: readonly Condition[]): void {
    const { c, channel } = this
    const [frame, closed] = [channel.nextFrame(), { channel: channel.channel, edge: 'closed' } as const]
    const found = event('conversation.item.retrieved', { '/item/id': item_id })
    c.claim(row, never(channel.channel, found, { frame }, closed), { given, given_code: 'model_choice' })
    channel.send({ type: 'conversation.item.retrieve', event_id: c.id('seek'), item_id }, frame)
  }

  async #ask(message: JsonObject, match: Pattern, telling: Telling, patience = 1): Promise<Condition> {
    const { c, channel } = this
    const frame = channel.nextFrame()
    const { rows = [], given = [], after = { frame }, awaits = match } = telling
    const within = patience * c.timeouts.event_ms
    const comes = eventually(channel.channel, after, match, within)
    for (const row of rows) c.claim(row, comes, given.length === 0 ? {} : { given })
    if (channel.state !== 'open') return comes
    channel.send(message, frame)
    await channel.next(awaits, { after: frame, within_ms: within + 20 })
    return comes
  }
}
