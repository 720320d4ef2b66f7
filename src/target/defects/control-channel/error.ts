import type { Behaviour } from '#target/behaviour/behaviour'
import type { FrameFaultId } from '#target/behaviour/frames'
import { change, inAscii, inSmallLetters, omit, put } from '#target/overrides/changes'
import { onEvent, splitEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, remembering, set } from '#target/overrides/operators'
import { isWire, objectAt } from '#target/wire'
import { onceReturned } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

/** Ends the connection upon a fault. */
const fatal =
  (...ids: FrameFaultId[]) =>
  ({ frames }: Behaviour): void => {
    for (const id of ids) frames[id].fatal = true
  }

/** Long enough for an answer to what was sent beside the fault. */
const late_ms = 150

const ofAdditions = (type: string): boolean => type === 'asset.add' || type === 'avatar.add'

export const errorDefects = defectsOf('control-channel.error', {
  'leaves-active-response: An `avatar.add` that is refused cuts the active response short.': set(
    'channel.refusalCuts',
    (type) => type === 'avatar.add',
  ),
  'leaves-active-response~item: An item that is refused cuts the active response short.': set(
    'channel.refusalCuts',
    (type) => type === 'conversation.item.create',
  ),
  'error-object: An error is a string.': onEvent(
    'error',
    change('error', (error) => (isWire(error) ? error['message'] : error)),
  ),
  'error-object~flat: An error has its fields beside its type.': onEvent('error', ({ error, ...event }) => ({
    ...objectAt({ error }, 'error'),
    ...event,
  })),
  'message-string: The message of an error is left out.': onEvent('error', omit('error.message')),
  'type-string: The type of an error is a number.': onEvent('error', put('error.type', 400)),
  'type-string~missing: The type of an error is left out.': onEvent('error', omit('error.type')),
  'code-string: The code of an error is null.': onEvent('error', put('error.code', null)),
  'code-string~number: The code of an error is a number.': onEvent(
    'error',
    change('error.code', (code) => (code === 'invalid_event' ? code : 40_001)),
  ),
  'event-id-string: Without a cause the id is null.': onEvent(
    'error',
    change('error.event_id', (id) => id ?? null),
  ),
  'event-id-names-cause: An error names itself as its cause.': onEvent('error', (event) =>
    put('error.event_id', event['event_id'])(event),
  ),
  'event-id-names-cause~stale: An error about an event without event_id names the event of the error before.':
    remembering(() => {
      const last = memory(() => ({ id: undefined as unknown }))
      return onEvent('error', (event, session) => {
        const error = objectAt(event, 'error')
        const id = error['event_id'] ?? last(session).id
        last(session).id = id
        return id === undefined ? event : { ...event, error: { ...error, event_id: id } }
      })
    }),
  'event-id-names-cause~one-late: An error names the event of the error before.': remembering(() => {
    const last = memory(() => ({ id: undefined as unknown }))
    return onEvent('error', (event, session) => {
      const error = objectAt(event, 'error')
      const [before, own] = [last(session).id, error['event_id']]
      if (own === undefined) return event
      last(session).id = own
      return before === undefined ? event : { ...event, error: { ...error, event_id: before } }
    })
  }),
  'event-id-names-cause~busy: While a response is active, an error names the request of that response.': onEvent(
    'error',
    (event, { response }) => {
      const active = response?.plan.requestEventId
      return active === undefined ? event : put('error.event_id', active)(event)
    },
  ),
  'event-id-names-cause~ascii: An error names its cause without the letters beyond ASCII.': onEvent(
    'error',
    change('error.event_id', inAscii),
  ),
  'event-id-names-cause~case: An error names its cause in small letters.': onEvent(
    'error',
    change('error.event_id', inSmallLetters),
  ),
  'invalid-event-code: A missing type has a code of its own.': set('frames.type-missing.code', 'missing_type'),
  'invalid-event-code~unnamed: A missing type has a code of its own where there is no event_id either.': onEvent(
    'error',
    (event) => {
      const { code, event_id } = objectAt(event, 'error')
      const unnamed = code === 'invalid_event' && event_id === undefined
      return unnamed ? put('error.code', 'missing_type')(event) : event
    },
  ),
  'invalid-event-code~reconnect: A missing type has a code of its own after a reconnect.': onceReturned((returned) => [
    splitEvent('error', (event, session) => {
      const lost = returned(session) && objectAt(event, 'error')['code'] === 'invalid_event'
      return [lost ? put('error.code', 'missing_type')(event) : event]
    }),
  ]),
  'invalid-event-code~busy: A missing type has a code of its own while a response is active.': splitEvent(
    'error',
    (event, session) => {
      const lost = session.response !== undefined && objectAt(event, 'error')['code'] === 'invalid_event'
      return [lost ? put('error.code', 'session_busy')(event) : event]
    },
  ),
  'usable-after-missing-type: A missing type ends the connection.': fatal('type-missing'),
  'usable-after-unknown-type: An unknown type ends the connection.': fatal('type-unknown'),
  'usable-after-unknown-type~late: An unknown type ends the connection once what was sent with it is answered.': [
    fatal('type-unknown'),
    set('channel.endsOnErrorMs', late_ms),
  ],
  'usable-after-invalid-update~late: An invalid update ends the connection once what was sent with it is answered.': [
    set('channel.endsOnError', (type) => type === 'session.update'),
    set('channel.endsOnErrorMs', late_ms),
  ],
  'usable-after-invalid-json: A message that is no JSON ends the connection.': fatal('not-json'),
  'usable-after-invalid-update: An invalid update ends the connection.': set(
    'channel.endsOnError',
    (type) => type === 'session.update',
  ),
  'usable-after-invalid-response: An invalid response ends the connection.': set(
    'channel.endsOnError',
    (type) => type === 'response.create',
  ),
  'usable-after-invalid-add: An invalid addition ends the connection.': set('channel.endsOnError', ofAdditions),
  'session-stays-open: A session with errors admits no further connection.': around(
    'channel.admission.session-closed',
    (old) => (attempt) => old(attempt) || (attempt.session?.tally.refused ?? 0) > 0,
  ),
  'unasked-none: A completed update is followed by an error about it.': splitEvent('session.update.done', (event) => [
    event,
    {
      type: 'error',
      event_id: `${String(event['event_id'])}_warning`,
      error: { type: 'server_error', message: 'slow update', event_id: event['request_event_id'] },
    },
  ]),
  'usable-after-invalid-response~busy: A response.create that a busy session rejects ends the connection.': set(
    'channel.endsOnError',
    (_type, code) => code === 'session_busy',
  ),
})
