import type { Entry } from '#trace/entry'
import { isObject } from '#trace/json'
import { mapEvents } from './content.ts'
import type { LegalChange } from './legal-change.ts'

const codes: readonly [number, ...number[]] = [
  1000, 1001, 1002, 1003, 1005, 1008, 1011, 1012, 1013, 3000, 4000, 4401, 4999,
]
const closings: readonly [string, ...string[]] = ['', 'bye', 'session closed', 'unauthorized', 'ä'.repeat(60)]

/** How channels and responses may end. */
export const ends: readonly LegalChange[] = [
  {
    id: 'close-codes',
    section: '4.4',
    why: 'No close code is named.',
    apply: (entries, chance) =>
      entries.map((entry) =>
        entry.kind === 'channel-closed' && entry.by === 'target' && chance.here()
          ? { ...entry, code: chance.one(codes), reason: chance.one(closings) }
          : entry,
      ),
  },
  {
    id: 'refusal-statuses',
    section: '5',
    why: 'How a channel is refused is not shown.',
    apply: (entries, chance) =>
      entries.map((entry) =>
        entry.kind === 'channel-refused' &&
        entry.reason === 'status' &&
        (entry.status ?? 500) < 429 &&
        entry.status !== 408 &&
        chance.here()
          ? { ...entry, status: chance.one([400, 401, 402, 403, 404, 409, 410, 422, 426, 200, 302]) }
          : entry,
      ),
  },
  {
    id: 'refused-by-closing',
    section: '5',
    why: 'A channel may be refused by an accepted socket that is closed at once.',
    apply: (entries, chance) =>
      entries.flatMap((entry): readonly Entry[] => {
        if (
          entry.kind !== 'channel-refused' ||
          entry.reason !== 'status' ||
          (entry.status ?? 500) >= 429 ||
          !chance.here()
        )
          return [entry]
        const { t, channel, scenario } = entry
        const common = { t, channel, ...(scenario === undefined ? {} : { scenario }) }
        return [
          { kind: 'channel-opened', ...common },
          { kind: 'channel-closed', ...common, by: 'target', code: chance.one(codes), reason: chance.one(closings) },
        ]
      }),
  },
  {
    id: 'render-ends',
    section: '3.4',
    why: 'Output that was cut short is `cancelled` or `interrupted`; which is not said.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) => {
        const { type, status } = event
        if (
          type !== 'response.render.stopped' ||
          !(status === 'cancelled' || status === 'interrupted') ||
          !chance.here()
        )
          return event
        return { ...event, status: status === 'cancelled' ? 'interrupted' : 'cancelled' }
      }),
  },
  {
    id: 'status-details',
    section: '2.10',
    why: '`status_details` is an object or null; what it holds is not said.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) => {
        const { response } = event
        if (!isObject(response) || !chance.here()) return event
        return {
          ...event,
          response: {
            ...response,
            status_details: chance.one([null, {}, { type: 'failed', reason: 'x', error: { code: 'y' } }]),
          },
        }
      }),
  },
  {
    id: 'item-statuses-on-the-way',
    section: '2.9',
    why: 'What the status of an item is when it is announced is not said.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) => {
        const { type, item } = event
        if (type !== 'conversation.item.created' || !isObject(item) || !('status' in item) || !chance.here())
          return event
        return { ...event, item: { ...item, status: 'in_progress' } }
      }),
  },
  {
    id: 'output-indexes',
    section: '6.2',
    why: 'From which number outputs are counted is not said.',
    apply: (entries, chance) => {
      const by = chance.here() ? 3 : 0
      return mapEvents(entries, (event) =>
        typeof event['output_index'] === 'number' ? { ...event, output_index: event['output_index'] + by } : event,
      )
    },
  },
]
