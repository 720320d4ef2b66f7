import { type Row, rows } from './rows.ts'

/** A promise about the events of a control channel, and where it is judged: in every trace, whichever scenario or load run made it. */
export interface ChannelPromise {
  /** In words of section 6 and of 4.4. */
  readonly promise: string
  readonly rows: readonly Row[]
  /** Files in this folder. */
  readonly files: readonly string[]
}

/**
 * What holds of any control channel, in whatever order things are asked. two promises have an end that is a wait: a response
 * that falls silent, and a confirmation that never comes. In a load run they are judged only where the recording goes on.
 */
export const channelPromises: readonly ChannelPromise[] = [
  {
    promise: 'Each server event has an event_id of its own, on its connection.',
    rows: rows({ 'server-event': 'event-id-nonempty event-id-unique event-id-server-generated' }),
    files: ['events/event-ids.rules.ts', 'events/frames.rules.ts'],
  },
  {
    promise: 'Deltas together are the final text, which comes once, and nothing of the text follows it.',
    rows: rows({
      'text-delta': 'concatenate-to-final-text item-of-one-response cut-item-text',
      'text-done': 'for-every-completed-stream once no-delta-after',
    }),
    files: ['responses/text.rules.ts'],
  },
  {
    promise: 'A finished item, and the end of its response, show the text that was streamed.',
    rows: rows({ 'output-item-done': 'text-agrees after-text', 'response-done': 'item-text-agrees all-output-items' }),
    files: ['responses/text.rules.ts', 'responses/life.rules.ts'],
  },
  {
    promise: 'Each item that deltas introduce is finished once, before its response is done.',
    rows: rows({ 'output-item-done': 'for-every-introduced-item once before-done index-agrees' }),
    files: ['items/output.rules.ts'],
  },
  {
    promise: 'Each created response ends exactly once; what ends was created.',
    rows: rows({
      'response-done': 'always once names-created-response',
      'response-create': 'created-once created-only-when-asked',
      'response-created': 'precedes-output',
    }),
    files: ['responses/life.rules.ts', 'events/requests.rules.ts'],
  },
  {
    promise: 'Nothing comes of a response after its response.done.',
    rows: rows({ 'response-done': 'last-event', 'text-delta': 'of-active-response' }),
    files: ['responses/life.rules.ts'],
  },
  {
    promise: 'Rendering that started stops once, before response.done; in text_chat there is none.',
    rows: rows({
      'render-started': 'once after-created',
      'render-stopped': 'follows-started only-after-started once before-done done-follows',
      render: 'never-in-text-chat no-stop-in-text-chat',
    }),
    files: ['responses/render.rules.ts'],
  },
  {
    promise: 'Each accepted session.update is acknowledged once and then ends once.',
    rows: rows({ 'session-update': 'accepted-yields-updated updated-once accepted-yields-done done-once' }),
    files: ['updates/updates.rules.ts'],
  },
  {
    promise: 'Each accepted addition and each item is confirmed once; what was refused is not.',
    rows: rows({
      'asset-add': 'confirmed-once rejected-not-confirmed',
      'avatar-add': 'confirmed-once rejected-not-confirmed',
      'item-create': 'confirmed-once rejected-not-confirmed',
    }),
    files: ['assets/additions.rules.ts', 'items/created.rules.ts'],
  },
  {
    promise: 'Each retrieve and delete of an item that exists is answered once.',
    rows: rows({ 'item-retrieve': 'answered once', 'item-delete': 'answered once' }),
    files: ['items/asked.rules.ts'],
  },
  {
    promise: 'Events of a session come on its own connections only.',
    rows: rows({ isolation: 'events-not-shared' }),
    files: ['connection/isolation.rules.ts'],
  },
]
