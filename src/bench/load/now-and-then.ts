import type { Override } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'

/** Which sessions hear an event, in place of its own alone. */
type Listeners = (session: Session, all: readonly Session[]) => Session[]

/** Every so many-th event of a service that is under load goes astray. */
const NTH = 100

/** Mistakes of a busy channel that show once in a while: few conversations meet them, and fewer are recorded in full. */
export const nowAndThen: { readonly [name: string]: () => Override } = {
  'an event is lost now and then': () => everyNth(() => []),
  'an event comes twice now and then': () => everyNth((session) => [session, session]),
  'an event is heard by another session as well now and then': () =>
    everyNth((session, all) => [session, ...talking(session, all).slice(0, 1)]),
  'an event goes to another session instead now and then': () =>
    everyNth((session, all) => talking(session, all).slice(0, 1)),
}

function everyNth(astray: Listeners): Override {
  let events = 0
  return ({ channel }) => {
    const { listeners } = channel
    channel.listeners = (session, all) => {
      events += 1
      return events % NTH === 0 ? astray(session, [...all]) : listeners(session, all)
    }
  }
}

/** Other sessions that hear what is sent to them. */
const talking = (session: Session, all: readonly Session[]): Session[] =>
  all.filter((other) => other !== session && other.connections.size > 0)
