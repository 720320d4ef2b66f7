import type { Behaviour } from '#target/behaviour/behaviour'
import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import { textOf, type Wire, wireAt, wiresAt, without } from '#target/wire'
import { defectsOf } from '../table.ts'
import { inside, letDuration, onStart, other, refuseStart } from './tools.ts'

type Override = (behaviour: Behaviour) => void

const RATIOS = ['9:16', '16:9']
const RESOLUTIONS = ['480p', '720p']

/** Takes a field of the body in place of the saved one. */
const taken =
  (field: string): Override =>
  ({ characters: { sessions } }) =>
    void sessions.replacing.push(field)

/** Leaves a field of the body out of account. */
const ignored =
  (field: string): Override =>
  ({ characters: { sessions } }) => {
    sessions.replacing = sessions.replacing.filter((one) => one !== field)
  }

/** Changes the output that comes of a saved and a sent one. */
const output =
  (make: (merged: Wire, sent: Wire, saved: Wire) => Wire): Override =>
  (b) =>
    onStart(b, (body, sent, saved) =>
      sent['output'] === undefined || body['output'] === undefined
        ? body
        : { ...body, output: make(wireAt(body, 'output'), wireAt(sent, 'output'), wireAt(saved, 'output')) },
    )

const transportOf = (object: Wire): string | undefined => textOf(inside(object, 'delivery', 'media')['transport'])

const namedDefects = defectsOf('characters', {
  'session.starts-by-id-alone': [
    'A start needs a model.',
    ({ rules }) =>
      demand(
        rules.start.body,
        'refused-by-defect',
        rule('4.1', 'model', ({ body }) => body['model'] === undefined),
      ),
  ],
  'session.character-id-missing-rejected': [
    'A start without id takes the newest character.',
    ({ rules, characters: { sessions } }) => {
      waive(rules.start.body, 'character-id-missing')
      const { named } = sessions
      sessions.named = (sent, own) => (sent['character_id'] === undefined ? (own.at(-1)?.id ?? '') : named(sent, own))
    },
  ],
  'session.unknown-character-rejected': [
    'A start with an unknown id takes the newest character.',
    ({ characters: { sessions } }) => {
      const known = new Set<string>()
      const { named } = sessions
      sessions.named = (sent, own) => {
        for (const { id } of own) known.add(id)
        const id = named(sent, own)
        return id === '' || known.has(id) ? id : (own.findLast(({ deleted }) => !deleted)?.id ?? id)
      }
    },
  ],
  'session.model-missing-refused': [
    'A start needs no model.',
    ({ rules }) => waive(rules.start.session, 'model-missing'),
  ],
  'session.model-supplied': [
    'A model that is sent needs a saved one.',
    (b) => onStart(b, (body, _sent, saved) => (saved['model'] === undefined ? without(body, 'model') : body)),
  ],
  'session.model-overridden': ['A model that is sent does not count.', ignoredModel],
  'session.model-override-unknown-rejected': [
    'Any model can be sent.',
    ({ rules }) => waive(rules.start.session, 'model-unsupported'),
  ],
})

/** Only where one is saved. */
function ignoredModel(b: Behaviour): void {
  onStart(b, (body, _sent, saved) => (saved['model'] === undefined ? body : { ...body, model: saved['model'] }))
}

const durationDefects = defectsOf('characters', {
  'session.max-duration-overridden': ['A duration that is sent does not count.', ignored('max_duration_seconds')],
  'session.max-duration-three-rejected': [
    'A start may last three seconds.',
    ({ rules }) => letDuration(rules.start.session, 'duration-low'),
  ],
  'session.max-duration-zero-rejected': [
    'A start may last no time.',
    ({ rules }) => letDuration(rules.start.session, 'duration-zero'),
  ],
  'session.max-duration-four-accepted': [
    'A start must last longer than four seconds.',
    (b) => refuseStart(b, ({ body }) => body['max_duration_seconds'] === 4),
  ],
  'session.max-duration-below-auto-close': [
    'A start may be shorter than its timeouts.',
    ({ rules }) => waive(rules.start.session, 'disconnected-over-duration', 'idle-over-duration'),
  ],
  'session.recording-on-accepted': [
    'Recording cannot be switched on by a start.',
    (b) => refuseStart(b, ({ body }) => body['recording_mode'] === 'on'),
  ],
  'session.recording-off-accepted': [
    'Recording cannot be switched off by a start.',
    (b) => refuseStart(b, ({ body }) => body['recording_mode'] === 'off'),
  ],
  'session.recording-unknown-rejected': [
    'Any recording mode can be sent.',
    ({ rules }) => waive(rules.start.session, 'recording-mode-unknown'),
  ],
})

const outputDefects = defectsOf('characters', {
  'session.resolution-overridden': [
    'A saved resolution wins.',
    output((merged, _sent, saved) => ({ ...merged, ...pick(saved, 'resolution') })),
  ],
  'session.aspect-ratio-overridden': [
    'A saved aspect ratio wins.',
    output((merged, _sent, saved) => ({ ...merged, ...pick(saved, 'aspect_ratio') })),
  ],
  'session.aspect-ratio-kept': [
    'An output that is sent replaces the saved one.',
    output((merged, sent, saved) =>
      sent['resolution'] !== undefined && sent['aspect_ratio'] === undefined
        ? { ...merged, aspect_ratio: other(saved['aspect_ratio'], ...RATIOS) }
        : merged,
    ),
  ],
  'session.resolution-kept': [
    'An aspect ratio that is sent resets the resolution.',
    output((merged, sent, saved) =>
      sent['aspect_ratio'] !== undefined && sent['resolution'] === undefined
        ? { ...merged, resolution: other(saved['resolution'], ...RESOLUTIONS) }
        : merged,
    ),
  ],
  'session.output-both-overridden': [
    'Of an output with both fields only the resolution counts.',
    output((merged, sent, saved) =>
      sent['aspect_ratio'] !== undefined && sent['resolution'] !== undefined
        ? { ...merged, ...pick(saved, 'aspect_ratio') }
        : merged,
    ),
  ],
  'session.output-empty-keeps': [
    'An empty output resets the saved one.',
    output((merged, sent, saved) =>
      Object.keys(sent).length === 0 ? { ...merged, resolution: other(saved['resolution'], ...RESOLUTIONS) } : merged,
    ),
  ],
  'session.output-unsupported-rejected': [
    'Any resolution can be sent.',
    ({ rules }) => waive(rules.start.session, 'resolution-unsupported'),
  ],
  'session.output-ignored-in-text-chat': [
    'A text chat must be started without output.',
    (b) => refuseStart(b, ({ mode, body }) => mode === 'text_chat' && body['output'] !== undefined),
  ],
})

function pick(object: Wire, field: string): Wire {
  return object[field] === undefined ? {} : { [field]: object[field] }
}

const deliveryDefects = defectsOf('characters', {
  'session.transport-overridden': [
    'A transport that is sent does not count.',
    ({ characters: { sessions } }) => void (sessions.merging = ['output']),
  ],
  'session.transport-override-replaces-saved': [
    'A saved transport wins.',
    (b) =>
      onStart(b, (body, _sent, saved) =>
        transportOf(saved) === undefined ? body : { ...body, delivery: saved['delivery'] },
      ),
  ],
  'session.delivery-empty-keeps': [
    'An empty delivery resets the saved one.',
    (b) =>
      onStart(b, (body, sent) =>
        sent['delivery'] !== undefined && Object.keys(wireAt(sent, 'delivery')).length === 0
          ? without(body, 'delivery')
          : body,
      ),
  ],
})

const effectDefects = defectsOf('characters', {
  'session.avatars-without-effect': [
    'Avatars that are sent replace the saved ones.',
    (b) => {
      waive(b.rules.start.body, 'avatars-sent')
      onStart(b, (body, sent) => {
        const [first] = wiresAt(sent, 'avatars')
        if (first === undefined) return body
        const session = { ...wireAt(body, 'session'), active_avatar_id: first['avatar_id'] }
        return { ...body, session, avatars: listed(sent) }
      })
    },
  ],
  'session.avatars-without-effect~added': [
    'Avatars that are sent join the saved ones.',
    (b) => {
      waive(b.rules.start.body, 'avatars-sent')
      onStart(b, (body, sent, saved) => ({ ...body, avatars: [...listed(saved), ...listed(sent)] }))
    },
  ],
  'session.conversation-without-effect': ['A conversation that is sent replaces the saved one.', taken('conversation')],
  'session.auto-close-without-effect': ['Timeouts that are sent replace the saved ones.', taken('auto_close')],
  'session.body-leaves-character': [
    'What is sent with a start is saved.',
    ({ characters: { sessions } }) =>
      void (sessions.touches = (character, sent) => {
        const { configuration } = character
        character.configuration = { ...configuration, ...without(sent, 'character_id', 'idempotency_key') }
      }),
  ],
  'session.overrides-not-kept': [
    'What one start sends is in force for the next.',
    ({ characters: { sessions } }) => {
      const kept = new Map<unknown, Wire>()
      const { body } = sessions
      sessions.body = (saved, sent, how) => {
        const { character_id: id } = sent
        const all = { ...kept.get(id), ...sent }
        kept.set(id, without(all, 'idempotency_key'))
        return body(saved, all, how)
      }
    },
  ],
})

function listed(object: Wire): unknown[] {
  const { avatars } = object
  return Array.isArray(avatars) ? avatars : []
}

export const sessionSentDefects = [
  ...namedDefects,
  ...durationDefects,
  ...outputDefects,
  ...deliveryDefects,
  ...effectDefects,
]
