import type { Channel, Exchange } from '#client/types'
import { stateIn } from '#judge/sessions/session-end'
import { event, eventually } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import { at, type Json } from '#trace/json'
import { look, saysOpen, type Sight } from '../session-ending.ts'
import type { Context, OpenSession } from '../context.ts'
import { waitOutLag } from '../wait-lag.ts'

/** Whether Get finds the session and tells nothing of how it fares: its payload is not shown (4.1). */
export function isSilent({ ok, data }: Exchange, { id }: Pick<OpenSession, 'id'>): boolean {
  return ok && stateIn(data, id) === undefined
}

/** How often something is done that must not keep a session open. */
const often_ms = 10_000

/**
 * What tells whether a session is over: the Get, or where that is silent an opening with the session's secret ("valid until
 * the session ends", 5.3). One that is closing may let somebody in still (3.1): then it is opened once more when its cleanup
 * has had its time, and somebody was connected all the while.
 *
 * @param meanwhile what must not keep it open is done over and over while somebody is connected
 */
export async function sightOfEnd(
  c: Context,
  session: OpenSession,
  looked: Exchange,
  meanwhile?: (channel: Channel) => void,
): Promise<Sight> {
  if (!isSilent(looked, session)) return looked.exchange
  const first = await c.open(session)
  if (first.state !== 'open') return { channel: first.channel }
  const deadline = performance.now() + c.timeouts.closed_ms
  for (let left = c.timeouts.closed_ms; left > 0 && isOpen(first); left = deadline - performance.now()) {
    meanwhile?.(first)
    await first.watch(Math.min(left, often_ms))
  }
  await first.close()
  // What comes right behind the end of another one may be refused for that.
  await waitOutLag(c, c.timeouts.lag_ms)
  const { channel } = await openBriefly(c, session)
  return { channel }
}

/** What shows that a session goes on where Get is silent. */
export interface SightOfLife {
  readonly condition: Condition
  /** When it was seen. */
  readonly mark: number
  readonly isOver: boolean
}

/**
 * Where Get tells nothing: an update on the connection that there is, or an opening where there is none.
 *
 * @returns undefined where Get tells
 */
export async function sightOfLife(
  c: Context,
  session: OpenSession,
  looked: Exchange,
  there?: Channel,
): Promise<SightOfLife | undefined> {
  if (!isSilent(looked, session)) return undefined
  if (there !== undefined && isOpen(there)) {
    const [frame, event_id] = [there.nextFrame(), c.id('still')]
    const applied = event('session.updated', { '/event_id': event_id })
    const condition = eventually(there.channel, { frame }, applied, c.timeouts.event_ms)
    there.send({ type: 'session.update', event_id, session: { mode: modeOf(session) } }, frame)
    await there.next(applied, { after: frame, within_ms: c.timeouts.event_ms })
    return { condition, mark: c.mark('a session was asked for an update'), isOver: false }
  }
  const { channel, state } = await openBriefly(c, session)
  const mark = c.mark('a session was opened, or not')
  return { condition: saysOpen({ channel }), mark, isOver: state === 'refused' }
}

/** An opening that ends as soon as it is decided: by an update that is applied, or by its refusal, which may come late. */
export async function openBriefly(
  c: Context,
  session: OpenSession,
  number = c.channelNumber(),
): Promise<{ readonly channel: number; readonly state: Channel['state'] }> {
  const channel = await c.open(session, { channel: number })
  const { state } = channel
  if (isOpen(channel)) {
    const { frame } = channel.send({
      type: 'session.update',
      event_id: c.id('still'),
      session: { mode: modeOf(session) },
    })
    await channel.next(event('session.updated'), { after: frame, within_ms: c.timeouts.event_ms })
    await channel.close()
  }
  return { channel: number, state }
}

/** A Get, and an opening where it is silent. */
export async function lookWhetherOpen(c: Context, session: OpenSession): Promise<void> {
  if (isSilent(await look(c, session), session)) await openBriefly(c, session)
}

const modeOf = ({ data }: OpenSession): Json => at(data, '/session/mode') ?? 'text_chat'

const isOpen = ({ state }: Channel): boolean => state === 'open'
