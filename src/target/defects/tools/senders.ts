import type { Override } from '#target/behaviour/behaviour'
import { around, remembering } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'

/** A connection of the session that is open beside the one that speaks now. */
export type OpenBeside = (session: Session, connection: object | undefined) => boolean

/** Makes changes that know which connection the event that is being handled came over. */
export const bySender = (
  make: (sender: () => object | undefined, openBeside: OpenBeside) => readonly Override[],
): Override =>
  remembering(() => {
    let last: object | undefined
    const openBeside: OpenBeside = ({ connections }, one) =>
      one !== last && [...connections].some((connection) => connection === one)
    return [
      around('channel.putOffMs', (putOffMs) => (session, event, sender) => {
        last = sender
        return putOffMs(session, event, sender)
      }),
      ...make(() => last, openBeside),
    ]
  })

/** Remembers over which connection the newest response of a session was asked for. */
export const byAsker = (make: (isOfOther: (session: Session) => boolean) => readonly Override[]): Override =>
  bySender((sender, openBeside) => {
    const askers = new WeakMap<Session, object | undefined>()
    return [
      ...make((session) => openBeside(session, askers.get(session))),
      around('scheduling.submitted', (submitted) => (plan, session) => {
        askers.set(session, sender())
        return submitted(plan, session)
      }),
    ]
  })
