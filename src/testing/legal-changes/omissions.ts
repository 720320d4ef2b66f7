import type { Entry } from '#trace/entry'
import { isObject, type JsonObject, textAt } from '#trace/json'
import { mapEnvelopes, mapEvents, withObjects, without } from './content.ts'
import type { LegalChange } from './legal-change.ts'

/** Leaves out an optional member of an event, where it is. */
function outOfEvents(types: RegExp, ...path: readonly string[]): LegalChange['apply'] {
  return (entries, chance) =>
    mapEvents(entries, (event) =>
      types.test(textAt(event, '/type') ?? '') && stands(event, path) && chance.here() ? cut(event, path) : event,
    )
}

function stands(object: JsonObject, [name = '', ...rest]: readonly string[]): boolean {
  const inside = object[name]
  if (rest.length === 0) return Object.hasOwn(object, name)
  return isObject(inside) && stands(inside, rest)
}

function cut(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const inside = object[name]
  if (rest.length === 0) return without(object, name)
  return isObject(inside) ? { ...object, [name]: cut(inside, rest) } : object
}

function outOfData(operations: RegExp, ...names: readonly string[]): LegalChange['apply'] {
  return (entries, chance) =>
    mapEnvelopes(entries, (envelope, { operation }) => {
      const { data } = envelope
      if (!operations.test(operation ?? '') || !isObject(data) || !names.some((name) => name in data)) return envelope
      return chance.here() ? { ...envelope, data: names.reduce(without, data) } : envelope
    })
}

/** A channel may lose `session.closed`: 6.2 says that it may be missed. */
function missedClosing(entries: readonly Entry[], chance: Parameters<LegalChange['apply']>[1]): readonly Entry[] {
  return entries.filter(
    (entry) =>
      entry.kind !== 'frame-received' ||
      !isObject(entry.data) ||
      entry.data['type'] !== 'session.closed' ||
      !chance.here(),
  )
}

/** What a service may leave out. */
export const omissions: readonly LegalChange[] = [
  {
    id: 'without-request-event-id',
    section: '6.2',
    why: '`request_event_id` of `response.created` is optional.',
    apply: outOfEvents(/^response\.created$/, 'request_event_id'),
  },
  {
    id: 'without-error-event-id',
    section: '6.2',
    why: '`error.event_id` is optional.',
    apply: outOfEvents(/^error$/, 'error', 'event_id'),
  },
  {
    id: 'without-error-code',
    section: '6.2',
    why: '`error.code` is optional.',
    apply: outOfEvents(/^error$/, 'error', 'code'),
  },
  {
    id: 'without-error-param',
    section: '6.2',
    why: '`error.param` is optional.',
    apply: outOfEvents(/^error$/, 'error', 'param'),
  },
  {
    id: 'without-media',
    section: '6.2',
    why: '`media_transport` and `media` of `session.updated` are optional.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) =>
        event['type'] === 'session.updated' && chance.here()
          ? without(without(event, 'media'), 'media_transport')
          : event,
      ),
  },
  {
    id: 'without-reason',
    section: '6.2',
    why: '`reason` of `session.update.done` is optional.',
    apply: outOfEvents(/\.done$/, 'reason'),
  },
  {
    id: 'without-done-id',
    section: '2.10',
    why: '`id` of a response is optional.',
    apply: outOfEvents(/^response\.done$/, 'response', 'id'),
  },
  {
    id: 'without-item-status',
    section: '2.9',
    why: '`status` of an item is usually set, so not always.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) =>
        withObjects(event, (object, name) =>
          (name === 'item' || name === 'output') && 'status' in object && chance.here()
            ? without(object, 'status')
            : object,
        ),
      ),
  },
  {
    id: 'without-expires-at',
    section: '2.1',
    why: '`expires_at` is omitted where no fixed expiry is returned.',
    apply: outOfData(/^create-(?:avatar-session|session-from-character)$/, 'expires_at'),
  },
  {
    id: 'without-assets',
    section: '2.1',
    why: '`assets` is optional; where none were sent there are none in effect.',
    apply: (entries, chance) =>
      mapEnvelopes(entries, (envelope, { operation, body }) => {
        const { data } = envelope
        const isEmpty = operation === 'create-avatar-session' && isObject(body) && !('assets' in body)
        if (!isEmpty || !isObject(data) || !('assets' in data)) return envelope
        return chance.here() ? { ...envelope, data: without(data, 'assets') } : envelope
      }),
  },
  {
    id: 'missed-session-closed',
    section: '6.2',
    why: '`session.closed` is attempted, and may be missed.',
    apply: missedClosing,
  },
]
