import type { Channel } from '../../src/client/types.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context, OpenSession } from '../../src/scenario/context.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { eventually, event } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'

/** A line that is spoken within a moment. */
const line = 'Good evening, and welcome.'

/** Speaks on the control channel of a session that was started from a character: claims first, then the event. */
export class Line {
  readonly c: Context
  readonly channel: Channel

  constructor(c: Context, channel: Channel) {
    this.c = c
    this.channel = channel
  }

  /** Makes an avatar the active one. @returns that it was done */
  async choose(
    active_avatar_id: string,
    rows: readonly RequirementId[],
    given: readonly Condition[] = [],
  ): Promise<Condition> {
    const event_id = this.c.id('choose')
    const match = event('session.updated', { '/event_id': event_id, '/session/active_avatar_id': active_avatar_id })
    return this.#ask({ type: 'session.update', event_id, session: { active_avatar_id } }, match, { rows, given })
  }

  /** Tries to make an avatar active that the session doesn't have. */
  async refuse(active_avatar_id: string, rows: readonly RequirementId[], given: readonly Condition[]): Promise<void> {
    const event_id = this.c.id('nobody')
    const match = event('error', { '/error/event_id': { $in: [event_id], $absent: true } })
    await this.#ask({ type: 'session.update', event_id, session: { active_avatar_id } }, match, { rows, given })
  }

  /** A scripted response, heard to its end. */
  async speak(rows: readonly RequirementId[], given: readonly Condition[] = []): Promise<void> {
    const event_id = this.c.id('speak')
    const response = { script: { vocal: { type: 'speech', text: line } } }
    const match = event('response.done', { '/response/status': 'completed' })
    await this.#ask({ type: 'response.create', event_id, response }, match, { rows, given, patience: 4 })
  }

  async #ask(
    message: JsonObject,
    match: ReturnType<typeof event>,
    { rows, given, patience = 1 }: { rows: readonly RequirementId[]; given: readonly Condition[]; patience?: number },
  ): Promise<Condition> {
    const { c, channel } = this
    const frame = channel.nextFrame()
    const within = patience * c.timeouts.event_ms
    const comes = eventually(channel.channel, { frame }, match, within)
    for (const row of rows) c.claim(row, comes, given.length === 0 ? {} : { given })
    channel.send(message, frame)
    await channel.next(match, { after: frame, within_ms: within + 20 })
    return comes
  }
}

/** Opens the control channel of a session. @throws Blocked unless it was admitted */
export async function lineTo(c: Context, session: OpenSession, channel?: number): Promise<Line> {
  return new Line(c, await c.connect(session, channel === undefined ? {} : { channel }))
}
