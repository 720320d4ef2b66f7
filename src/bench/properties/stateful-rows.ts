/**
 * A rule is stateful where one of these models holds it and a breach shows only in what comes after something else: in a
 * later answer, a later event, or a second deed. Whatever breaks such a rule counts, also where no walk makes it happen.
 */
export interface StatefulModel {
  readonly name: string
  /** The walks that go through it. */
  readonly walks: readonly string[]
  /** Rows by what their ids begin with. */
  readonly holds: Readonly<Record<string, string>>
}

const channel = (word: string): readonly string[] => [
  `control-channel.${word}-walk`,
  `control-channel.${word}-walk-long`,
]
const lives = (part: string): readonly string[] => [`${part}.lives-property`, `${part}.lives-property-long`]
const sessionLife = ['avatar-sessions.session-life-property', 'avatar-sessions.session-life-property-long']

/** The models that the properties are made of, each with the rules that it holds. */
export const statefulModels: readonly StatefulModel[] = [
  {
    name: 'session life',
    walks: sessionLife,
    holds: {
      'avatar-sessions.close':
        'accepted leaves-active reaches-closed closed-shown-by-get never-active-again closed-is-final leaves-others-open',
      'avatar-sessions.get': 'own-session-found open-session-not-closed',
      'avatar-sessions.list': 'shows-open-sessions hides-closed-sessions each-once',
      'avatar-sessions.session': 'id-unique',
      'avatar-sessions.status': 'in-set-on-get',
      'control-channel.secret': 'refused-after-closed valid-while-open',
    },
  },
  {
    name: 'scheduling of responses',
    // The parts of its tour are spread over these three.
    walks: [...channel('scheduling'), ...channel('items'), ...channel('additions')],
    holds: {
      'control-channel.scheduling': [
        'interrupt-idle-starts interrupt-starts-new interrupt-cancels-active interrupt-is-default interrupt-new-completes',
        'interrupt-clears-pending interrupt-leaves-later-pending interrupted-gets-done interrupted-gets-item-done',
        'interrupted-gets-render-stopped interrupted-status idle-after-done',
        'reject-if-busy-idle-starts reject-if-busy-active-rejected reject-if-busy-pending-rejected',
        'reject-if-busy-never-starts reject-if-busy-leaves-active reject-if-busy-leaves-pending',
        'reject-if-busy-one-of-a-volley reject-if-busy-rendering-rejected',
        'after-current-idle-starts after-current-queued after-current-runs after-current-leaves-active',
        'after-current-brings-own-text after-current-not-before-output-ends after-current-not-before-done-in-video',
        'pending-one-accepted pending-second-rejected pending-second-never-starts pending-second-leaves-first',
        'pending-slot-frees pending-runs-once',
      ].join(' '),
      'control-channel.response-create': 'created-once rejected-leaves-active-alone',
      'control-channel.response-done': 'always once last-event names-created-response',
      'control-channel.snapshot': [
        'mode active-avatar asset-contents response-fields later-session-update-harmless later-avatar-add-harmless',
        'later-asset-add-harmless later-asset-not-seen',
      ].join(' '),
    },
  },
  {
    name: 'items of a conversation',
    walks: channel('items'),
    holds: {
      'control-channel.item': 'id-unique',
      'control-channel.item-create': [
        'confirmed-once content-kept stored appended-when-omitted appended-names-last root-inserts-at-start',
        'inserted-after-named insertion-keeps-last duplicate-id-keeps-item rejected-not-confirmed',
      ].join(' '),
      'control-channel.item-created': 'once previous-item-known for-generated-output',
      'control-channel.item-retrieve':
        'answered right-item content once unknown-not-retrieved changes-nothing generated-item',
      'control-channel.item-delete': 'answered gone others-kept once last-item-moves unknown-changes-nothing',
      'control-channel.item-deleted': 'item-id',
      'control-channel.response-create':
        'auto-output-written default-output-written none-output-not-written input-deleted-reference-rejected',
      'control-channel.secret': 'reconnect-keeps-conversation',
    },
  },
  {
    name: 'mutable state of a session',
    walks: channel('state'),
    holds: {
      'control-channel.session-update': [
        'active-avatar-applied active-avatar-kept-when-omitted mode-kept-when-omitted source-image-kept-when-omitted',
        'text-chat-mode-applied video-mode-applied source-image-applied persists newest-wins rejected-changes-nothing',
        'to-text-chat-clears-image cleared-image-not-restored to-video-derives-default-image to-video-derives-only-image',
        'null-clears-explicit-image avatar-switch-drops-old-image avatar-switch-derives-image',
        'accepted-yields-updated updated-once accepted-yields-done done-once undisturbed-completes',
      ].join(' '),
      'control-channel.session-updated':
        'active-avatar-known only-when-applied source-image-null-in-text-chat source-image-set-in-video',
      'control-channel.connections': 'state-shared one-closing-leaves-other sender-is-answered',
      'control-channel.secret':
        'reconnect-admitted reconnect-after-drop-admitted second-connection-admitted reconnect-keeps-state',
    },
  },
  {
    name: 'assets and avatars',
    walks: [...channel('additions'), ...channel('state')],
    holds: {
      'control-channel.asset-add': [
        'additive confirmed-once existing-content-kept existing-not-confirmed-anew existing-rejected free-after-rejection',
        'create-time-content-kept id-of-other-kind-rejected none-registered-on-invalid none-registered-after-invalid',
        'none-registered-across-kinds none-registered-beside-existing rejected-not-confirmed',
      ].join(' '),
      'control-channel.asset-added': 'lists-every-asset lists-no-others each-once content-agrees',
      'control-channel.avatar-add': [
        'additive confirmed-once existing-not-confirmed-anew existing-rejected free-after-rejection images-not-appended',
        'images-not-replaced not-active not-active-source-image selectable none-registered-on-invalid',
        'none-registered-after-invalid none-registered-beside-existing rejected-not-confirmed',
      ].join(' '),
      'control-channel.avatar-added': 'lists-every-avatar lists-no-others each-once instructions-effective',
      'control-channel.script-speech-asset': 'added-asset-spoken right-asset-spoken',
      'control-channel.secret': 'reconnect-keeps-assets',
    },
  },
  {
    name: 'characters',
    walks: lives('characters'),
    holds: {
      'characters.create': 'returned-by-get refused-leaves-no-character same-body-other-character starts-no-session',
      'characters.get': 'own-character-found',
      'characters.replace': [
        'accepted stored returns-written leaves-others id-kept name-replaced refused-changes-nothing nested-gone',
        'auto-close-gone avatar-members-gone avatars-gone conversation-gone max-duration-gone model-gone output-gone',
        'pipeline-config-gone active-avatar-id-gone omitted-gone-from-sessions',
      ].join(' '),
      'characters.delete': 'accepted leaves-others',
      'characters.deleted': [
        'get-rejected replace-rejected replace-revives-nothing delete-rejected starts-no-session running-session-kept',
        'running-session-admits',
      ].join(' '),
      'characters.list': 'shows-all hides-deleted shows-replaced each-once newest-first',
      'characters.session': [
        'retry-same-session concurrent-one-session other-key-other-session without-key-new-session edit-applies-later',
        'edit-leaves-running several-from-one overrides-not-kept body-leaves-character auto-close-applies-later',
      ].join(' '),
    },
  },
  {
    name: 'voices and files',
    walks: ['voices.library-property'],
    holds: {
      'voices.clone': 'refused-makes-nothing voice-ids-distinct',
      'voices.list': 'own-included own-unchanged voice-once',
      'voices.get': 'voice-id name language',
      'audio-files.file': 'ids-distinct',
    },
  },
  {
    name: 'world session life and secrets',
    walks: lives('world-sessions'),
    holds: {
      'world-sessions.client-secret': [
        'accepted after-close-rejected names-session leaves-session control-secret-fresh control-secret-fresh-again',
        'media-secret-fresh media-secret-fresh-again',
      ].join(' '),
      'world-sessions.close': [
        'accepted leaves-active reaches-closed never-active-again closed-is-final repeated-same-key leaves-others-open',
      ].join(' '),
      'world-sessions.get': 'own-session-found last-sequence-never-falls usage-never-falls',
      'world-sessions.session': 'id-unique',
      'world-sessions.status': 'in-set-on-get',
    },
  },
  {
    name: 'idempotency keys of avatar sessions',
    walks: sessionLife,
    holds: {
      'avatar-sessions.idempotency': [
        'retry-same-session concurrent-one-session other-key-other-session without-key-new-session',
        'after-5xx-one-session after-timeout-one-session',
      ].join(' '),
    },
  },
  {
    name: 'idempotency keys of world sessions',
    walks: lives('world-sessions'),
    holds: {
      'world-sessions.idempotency': [
        'retry-same-session concurrent-one-session other-key-other-session without-key-new-session other-body-conflict',
        'other-nested-value-conflict conflict-code conflict-changes-nothing after-5xx-one-session',
        'after-timeout-one-session',
      ].join(' '),
    },
  },
  {
    name: 'places of a workspace',
    walks: ['limits.places-property'],
    holds: {
      'limits.concurrency': [
        'exceeding-refused full-told-by-30006 slot-free-when-closed refused-create-makes-nothing',
        'refused-create-holds-nothing text-chat-sessions-count volley-within-cap',
      ].join(' '),
    },
  },
  {
    name: 'rate of a key',
    // There is one way through its states: far from its limit, over it, told to wait, admitted again.
    walks: ['limits.rate-limit'],
    holds: {
      'limits.api-key-rate': [
        'below-limit-admitted exceeding-refused retry-after recovers per-key refused-create-makes-nothing counts-reads',
        'counts-creates counts-characters counts-voices counts-worlds',
      ].join(' '),
    },
  },
]

/** What does not count, though a sequence of requests shows it, and why. */
export const leftOut: readonly { readonly rows: RegExp; readonly why: string }[] = [
  {
    rows: /(?:auto-close|disconnected-timeout|idle-timeout|expir|max-duration|continuation\.|usable-once)/,
    why: 'its clock has to run out, which no walk waits for',
  },
  {
    rows: /(?:^control-channel\.(?:speech|transcription|input)|sample|detected)/,
    why: 'media decide it, and walks send none',
  },
  {
    rows: /(?:other-workspace|same-workspace|other-keys|scoped-to-workspace|shared-by-keys|\.scope\.|isolation\.)/,
    why: 'two keys or two sessions show it at once, whatever was done before: no model of the list is about it',
  },
  { rows: /after-429/, why: 'the whole rate of a key has to be spent on it' },
  {
    rows: /-(?:in-video|without-visual)\b|video-sessions-count|character-sessions-count/,
    why: 'one more kind of create shows it',
  },
  { rows: /./, why: 'one request alone is refused, accepted or answered in the wrong shape' },
]

/** Defects of rules that count and that no walk shows, by their ids, and why. */
export const outOfReach: Readonly<Record<string, string>> = {
  'avatar-sessions.list.hides-closed-sessions~expired': 'a session has to expire',
  'control-channel.secret.valid-while-open~unused': 'twelve seconds have to go by',
  'control-channel.secret.valid-while-open~quiet': 'twelve seconds have to go by',
  'control-channel.secret.refused-after-closed~idle': 'a timeout has to run out',
  'control-channel.secret.refused-after-closed~disconnected': 'a timeout has to run out',
  'limits.api-key-rate.per-key~together': 'other scenarios have to send much by other keys meanwhile',
}

/** The models that hold a row. */
export function modelsOf(row: string): readonly StatefulModel[] {
  const at = row.lastIndexOf('.')
  const [subject, name] = [row.slice(0, at), row.slice(at + 1)]
  return statefulModels.filter(({ holds }) => holds[subject]?.split(' ').includes(name) === true)
}
