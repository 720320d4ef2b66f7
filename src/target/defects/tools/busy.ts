import type { Override } from '#target/behaviour/behaviour'
import { memory } from '#target/overrides/memory'
import { append, around, remembering } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt } from '#target/wire'

export const endsIncomplete = (event: JsonObject): boolean =>
  event['type'] === 'response.done' && objectAt(event, 'response')['status'] === 'incomplete'

/** What else changes for sessions that stay busy. */
type BusyChange = (busy: WeakSet<Session>) => Override

/** From such an event on the session is busy, though it is idle, until its next response. */
export const staysBusy = (from: (event: JsonObject, session: Session) => boolean, ...changes: BusyChange[]): Override =>
  remembering(() => {
    const busy = new WeakSet<Session>()
    return [
      append('outgoing', (event, session) => {
        if (event['type'] === 'response.created') busy.delete(session)
        if (from(event, session)) busy.add(session)
        return [event]
      }),
      around(
        'scheduling.decide.reject_if_busy',
        (reject) => (session, active, sender) => reject(session, active || busy.has(session), sender),
      ),
      ...changes.map((change) => change(busy)),
    ]
  })

/** What changes where the `response.create` that is decided on is such a one. */
export const askedFor = (
  fits: (response: JsonObject) => boolean,
  change: (isSuch: (session: Session) => boolean) => Override,
): Override =>
  remembering(() => {
    const asked = memory(() => ({ such: false }))
    return [
      around('validations.responseCreate.response-not-object.broken', (broken) => (input) => {
        asked(input.session).such = fits(input.response)
        return broken(input)
      }),
      change((session) => asked(session).such),
    ]
  })
