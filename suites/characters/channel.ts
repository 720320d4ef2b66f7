import type { Channel } from '../../src/client/types.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Condition, Pattern, Point } from '../../src/trace/claim.ts'
import { eventually, event } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'

/** A line that is spoken within a moment. */
const line = 'Good evening, and welcome.'

/** What is said of the answer to an event. */
export interface Telling {
  readonly rows?: readonly RequirementId[]
  readonly given?: readonly Condition[]
  /** From when on the answer is awaited; default the event itself, which can't be sent once the channel is closed. */
  readonly after?: Point
}

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
    await this.#ask({ type: 'response.create', event_id, response }, match, telling, 4)
  }

  async #ask(message: JsonObject, match: Pattern, telling: Telling, patience = 1): Promise<Condition> {
    const { c, channel } = this
    const frame = channel.nextFrame()
    const { rows = [], given = [], after = { frame } } = telling
    const within = patience * c.timeouts.event_ms
    const comes = eventually(channel.channel, after, match, within)
    for (const row of rows) c.claim(row, comes, given.length === 0 ? {} : { given })
    if (channel.state !== 'open') return comes
    channel.send(message, frame)
    await channel.next(match, { after: frame, within_ms: within + 20 })
    return comes
  }
}
