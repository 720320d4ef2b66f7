import { splitEvent } from '#target/overrides/events'
import { set, several } from '#target/overrides/operators'
import type { Override } from '../behaviour/behaviour.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import { type JsonObject, objectAt } from '../wire.ts'
import { variationsOf } from './table.ts'

const once = (event: JsonObject, mark: string): string => `${String(event['event_id'])}_${mark}`

/** What comes after each confirmation, and is about nothing that a client did. */
const unasked = { type: 'server_error', code: 'recording_degraded', message: 'recording is delayed' }
const confirmations = ['conversation.item.created', 'asset.added', 'avatar.added', 'session.updated', 'response.done']

/** Every so many times something is asked for, a step of the server fails over it. */
function failing(times: number): Override {
  return ({ validations }) => {
    for (const table of [validations.assetAddition, validations.itemCreate, validations.itemRetrieve]) {
      let count = 0
      const fails = validation('6.2', 'event', () => {
        count += 1
        if (count % times === 0) throw new Error('a step of the server failed')
        return false
      })
      Object.assign(table, { 'server-failed': fails })
    }
  }
}

/** Errors of the server do not say over which event they came. */
const failuresNameNone: Override = splitEvent('error', (event) => [
  objectAt(event, 'error')['type'] === 'server_error' ? nameless(event) : event,
])

/** An error that does not say over which event it came. */
function nameless(event: JsonObject): JsonObject {
  const { event_id: _cause, ...error } = objectAt(event, 'error')
  return { ...event, error }
}

/** When errors come, and about what (6.2). */
export const errorVariations = variationsOf({
  'errors-late §6.2: Errors come late, behind the answers to later events.': set('channel.delayMs', (event) =>
    event['type'] === 'error' ? 600 : 0,
  ),
  'errors-late-nameless §6.2: Errors come late, behind the answers to later events, and name none ("`error.event_id` optional").':
    several(
      set('channel.delayMs', (event) => (event['type'] === 'error' ? 600 : 0)),
      splitEvent('error', (event) => [nameless(event)]),
    ),
  'errors-in-pairs §6.2: A refused event gets two errors.': splitEvent('error', (event) => [
    event,
    { ...event, event_id: once(event, 'two'), error: { ...objectAt(event, 'error'), message: 'see the docs' } },
  ]),
  'errors-of-its-own §6.2: A moment after any confirmation a step of the server fails that matters to nobody.': several(
    set('channel.delayMs', (event) => (objectAt(event, 'error')['code'] === unasked.code ? 3 : 0)),
    ...confirmations.map((type) =>
      splitEvent(type, (event) => [event, { type: 'error', event_id: once(event, 'error'), error: unasked }]),
    ),
  ),
  'server-fails-at-times §6.2: Every 29th addition of assets, creation and retrieval of an item fails: "a client or server processing step fails" (`server_error`).':
    failing(29),
  'server-fails-at-times-nameless §6.2: Every 47th addition of assets, creation and retrieval of an item fails, and the error names none ("`error.event_id` optional").':
    several(failing(47), failuresNameNone),
})
