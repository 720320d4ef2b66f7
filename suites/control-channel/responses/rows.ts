import { rows } from '../rows.ts'

/** What every spoken response shows to whoever looks on. */
export const seenInSpeech = rows({
  'server-event': 'event-id-nonempty type-nonempty',
  response: [
    'id-string status-in-set status-details-object-or-null output-array output-items-shape',
    'max-output-tokens-number-or-inf no-raw-media',
  ],
  'response-created': 'response-object status-in-progress id-known request-event-id-names-request precedes-output',
  'response-done': [
    'response-object always once status-final names-created-response last-event all-output-items',
    'output-items-finished output-item-once item-text-agrees',
  ],
  'output-item-done': [
    'response-id output-index-number item-object status-in-set for-every-introduced-item once index-agrees',
    'text-agrees streamed-text-is-assistant-message after-text before-done',
  ],
  'text-delta': [
    'response-id item-id output-index-number delta-string of-active-response item-of-one-response',
    'concatenate-to-final-text',
  ],
  'text-done': 'response-id item-id output-index-number text-string for-every-completed-stream once no-delta-after',
})

/** What a speech shows in video, whole or cut short. */
export const seenInVideo = rows({
  'render-started': 'response-id for-speech once after-created',
  render: 'something-rendered',
  'render-stopped': [
    'response-id status-in-set follows-started only-after-started once before-done done-follows',
    'undisturbed-completed cut-not-completed',
  ],
})

/** What several responses show, one of them cut short. */
export const seenInSeveral = rows({
  response: 'id-unique',
  'response-done': 'items-in-order',
  'output-item-done': 'index-distinct',
  'text-delta': 'cut-item-text',
})
