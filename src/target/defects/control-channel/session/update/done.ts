import type { UpdateInput } from '#target/behaviour/validations/session-update'
import { change, omit } from '#target/overrides/changes'
import { onEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { remembering, set } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import { defectsOf } from '../../../tools/table.ts'

const DONE = 'session.update.done'

export const sessionUpdateDoneDefects = defectsOf('control-channel.session-update-done', {
  'request-event-id: The request is not named.': onEvent(DONE, omit('request_event_id')),
  'request-event-id~other: The request is named by another id.': onEvent(
    DONE,
    change('request_event_id', (id) => `req_${String(id)}`),
  ),
  'request-event-id~superseded: The end of an update that a newer one superseded names the newer one.': (b) => {
    const newest = memory(() => ({ id: undefined as unknown }))
    const missing = b.validations.sessionUpdate['session-missing']
    const { broken } = missing
    missing.broken = (input: UpdateInput) => {
      newest(input.session).id = input.event['event_id']
      return broken(input)
    }
    onEvent('session.update.done', (event, session) => {
      const { id } = newest(session)
      const over = event['reason'] === b.update.supersededReason && id !== undefined
      return over ? { ...event, request_event_id: id } : event
    })(b)
  },
  'status-in-set: An update succeeds.': onEvent(
    DONE,
    change('status', (status) => (status === 'completed' ? 'succeeded' : status)),
  ),
  'reason-string: Without a reason it is null.': onEvent(
    DONE,
    change('reason', (reason) => reason ?? null),
  ),
  'not-replayed: A new connection gets the last result again.': remembering(() => {
    const last = memory(() => ({ event: undefined as JsonObject | undefined }))
    return [
      onEvent(DONE, (event, session) => {
        last(session).event = event
        return event
      }),
      set('extras.greeting', (session) => {
        const { event } = last(session)
        return event === undefined ? [] : [{ ...event, event_id: `${String(event['event_id'])}_replay` }]
      }),
    ]
  }),
})

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'done-once: An update is done twice.': twice(DONE),
})
