import { rows } from '../rows.ts'

/** What retrieves and deletes can show. */
export const askedRows = rows({
  'item-retrieve': 'answered right-item content once unknown-not-retrieved generated-item changes-nothing',
  'item-create': 'stored duplicate-id-keeps-item',
  'item-delete': 'answered gone others-kept once unknown-changes-nothing',
  'item-deleted': 'item-id',
  connections: 'state-shared',
  isolation: 'items-not-shared',
  script: [
    'written-text-exact auto-speech-written default-speech-written auto-speech-asset-written',
    'none-speech-not-written none-speech-asset-not-written',
  ],
  'response-create': 'auto-output-written default-output-written none-output-not-written',
  secret: 'reconnect-keeps-conversation',
})

export type AskedRow = (typeof askedRows)[number]
