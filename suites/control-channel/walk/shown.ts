import { rows } from '../rows.ts'

/** What starts, waits, is refused or ends (4.4 Scheduling). */
export const scheduled = rows({
  scheduling: [
    'interrupt-idle-starts interrupt-starts-new interrupt-clears-pending interrupt-leaves-later-pending',
    'reject-if-busy-idle-starts idle-after-done reject-if-busy-active-rejected reject-if-busy-pending-rejected',
    'reject-if-busy-never-starts reject-if-busy-leaves-active reject-if-busy-leaves-pending',
    'after-current-idle-starts after-current-queued after-current-runs after-current-leaves-active',
    'pending-one-accepted pending-second-rejected pending-second-never-starts pending-second-leaves-first pending-slot-frees',
    'pending-runs-once interrupt-is-default',
  ],
  'response-create': 'rejected-leaves-active-alone',
})

/** Rows that each walk makes happen, or would show if they were broken: rules judge them. */
export const shown = {
  scheduling: [
    ...scheduled,
    ...rows({
      'response-done': 'always once',
      'response-create': 'created-once',
      'session-update': 'accepted-yields-done',
    }),
  ],
  items: rows({
    item: 'id-unique',
    'item-create': [
      'confirmed-once content-kept appended-when-omitted appended-names-last root-inserts-at-start',
      'inserted-after-named insertion-keeps-last duplicate-id-keeps-item rejected-not-confirmed',
    ],
    'item-created': 'once',
    'item-retrieve': 'answered right-item content once unknown-not-retrieved changes-nothing',
    'item-delete': 'answered gone others-kept once last-item-moves',
    'item-deleted': 'item-id',
    'response-create': [
      'auto-output-written default-output-written none-output-not-written input-deleted-reference-rejected',
    ],
  }),
  state: rows({
    'session-update': [
      'active-avatar-applied mode-kept-when-omitted active-avatar-kept-when-omitted persists newest-wins',
      'rejected-changes-nothing accepted-yields-updated updated-once accepted-yields-done done-once',
    ],
    'session-updated': 'active-avatar-known',
  }),
  additions: rows({
    'asset-add': [
      'confirmed-once existing-content-kept create-time-content-kept existing-not-confirmed-anew existing-rejected',
      'id-of-other-kind-rejected additive free-after-rejection',
    ],
    secret: 'reconnect-keeps-assets',
    'asset-added': 'lists-every-asset lists-no-others each-once content-agrees',
    'avatar-add': 'confirmed-once not-active existing-rejected additive selectable free-after-rejection',
    'avatar-added': 'lists-every-avatar lists-no-others each-once instructions-effective',
  }),
} as const
