import type { Session } from '../../core/envelope.ts'
import type { Opened } from '../../core/limits/places.ts'
import type { Connection, Machine } from '../machine.ts'
import { scriptText } from '../script-text.ts'

/** So many sessions are used: one that keeps its place is enough, and events cost the generator more than requests. */
const USED = 4

/** Long enough to be spoken still when its session is closed, where texts take their time. */
const CHARACTERS = 2_000

/** Ends what was begun on control channels. */
export type HangUp = () => void

/** What is done in sessions that are open. */
export interface UseSessions {
  /** Connects and hangs up: they stay open all the same. */
  readonly visit: (sessions: readonly Opened[]) => Promise<void>
  /** Does all that may cost a session its place when it is closed. */
  readonly use: (sessions: readonly Opened[]) => Promise<HangUp>
}

/** A session is open as long as nobody closes it, whether anybody is connected or not. */
export async function visitChannels(machine: Machine, sessions: readonly Opened[]): Promise<void> {
  const visit = async ({ id, url, secret }: Opened): Promise<void> => {
    if (url !== undefined && secret !== undefined) (await opened(machine, { id, url, secret }))?.close()
  }
  await Promise.all(sessions.slice(-USED).map(visit))
}

/**
 * Uses the control channels of sessions that are about to be closed: an upgrade with a wrong secret, a connection that is
 * hung up, and one on which a response was interrupted and another one is still spoken. Whatever was done on it, a session
 * that is closed gives its place back. What comes of it on the channel is judged elsewhere, so nothing is counted or timed.
 *
 * @returns how to hang up, which is done once the closes were asked for
 */
export async function useChannels(machine: Machine, sessions: readonly Opened[]): Promise<HangUp> {
  const connections = await Promise.all(sessions.slice(-USED).map((session) => useChannel(machine, session)))
  return () => {
    for (const connection of connections) connection?.close()
  }
}

/** @returns the connection that is still open */
async function useChannel(machine: Machine, { id, url, secret }: Opened): Promise<Connection | undefined> {
  if (url === undefined || secret === undefined) return undefined
  const own = { id, url, secret }
  const wrong = await opened(machine, { ...own, secret: `${secret}x` })
  wrong?.close()
  const first = await opened(machine, own)
  if (first === undefined) return undefined
  first.close()
  const second = await opened(machine, own)
  for (const turn of ['first', 'second']) {
    const eventId = `${machine.name}-${id}-${turn}`
    const script = { vocal: { type: 'speech', text: scriptText(eventId, CHARACTERS) } }
    second?.send(JSON.stringify({ type: 'response.create', event_id: eventId, response: { script } }))
  }
  return second
}

/** @returns undefined where the upgrade is refused, or nothing comes of it in time */
function opened(machine: Machine, session: Session): Promise<Connection | undefined> {
  return new Promise((resolve) => {
    // What can't even be dialled is closed at once, before there is a connection.
    let connection: Connection | undefined
    const giveUp = (): void => {
      connection?.close()
      resolve(undefined)
    }
    const callOff = machine.later(machine.workload.patience_ms, giveUp)
    const settle = (outcome: Connection | undefined): void => {
      callOff()
      resolve(outcome)
    }
    const closed = (): void => settle(undefined)
    connection = machine.connect(session, { opened: () => settle(connection), heard: () => undefined, closed })
    if (connection === undefined) closed()
  })
}
