import { drop, set, around, add, several, remembering } from '#target/overrides/operators'
import { validation } from '#target/behaviour/validations/input-validation'
import type { WorldInput } from '#target/behaviour/world/input'
import type { Variation } from '#target/deviation'
import { isWire, objectsAt } from '#target/wire'

const FIELDS = [
  'model',
  'idempotency_key',
  'initial_prompt',
  'opening_frame',
  'references',
  'output',
  'live_input',
  'continuation',
  'max_session_duration_seconds',
  'metadata',
]

/** 2.12: "features differ by model and deployment", and what validation leaves open. */
export const worldContractVariations: readonly Variation[] = [
  {
    id: 'world-no-live-audio',
    section: '2.12',
    text: 'World sessions take no live audio.',
    override: set('world.capabilities.live_audio', { supported: false, interpretation: 'none' }),
  },
  {
    id: 'world-no-live-audio-untold',
    section: '2.12',
    text: 'World sessions take no live audio, and do not tell how they would interpret it.',
    override: set('world.capabilities.live_audio', { supported: false }),
  },
  {
    id: 'world-references-without-audio',
    section: '2.12',
    text: 'References hold texts and images only.',
    override: set('world.capabilities.reference_content_types', ['input_text', 'input_image']),
  },
  {
    id: 'world-references-of-text',
    section: '2.12',
    text: 'References hold texts only, and two of them are enough.',
    override: several(
      set('world.capabilities.reference_content_types', ['input_text']),
      set('world.capabilities.limits', { max_event_bytes: 4096, max_references: 2, max_reference_images: 0 }),
    ),
  },
  {
    id: 'world-no-references',
    section: '2.12',
    text: 'World sessions take no references.',
    override: several(
      set('world.capabilities.reference_content_types', []),
      set('world.capabilities.limits', { max_event_bytes: 1024, max_references: 0, max_reference_images: 0 }),
    ),
  },
  {
    id: 'world-limits-low',
    section: '2.12',
    text: 'World sessions take three references with one image.',
    override: set('world.capabilities.limits', { max_event_bytes: 65_536, max_references: 3, max_reference_images: 1 }),
  },
  {
    id: 'world-limits-high',
    section: '2.12',
    text: 'World sessions take hundreds of references and of images.',
    override: set('world.capabilities.limits', {
      max_event_bytes: 2 ** 40,
      max_references: 400,
      max_reference_images: 300,
    }),
  },
  {
    id: 'world-images-per-reference',
    section: '2.12',
    text: 'The limit of images counts for each reference.',
    override: set('world.validations.reference-images-too-many.broken', ({ references, capabilities }) =>
      references.some(
        (one) =>
          objectsAt(one, 'content').filter(({ type }) => type === 'input_image').length >
          capabilities.limits.max_reference_images,
      ),
    ),
  },
  {
    id: 'world-capabilities-more',
    section: '2.12',
    text: 'Capabilities list types, modes and features that the spec does not know.',
    override: ({ world: { capabilities } }) => {
      capabilities.event_content_types.push('input_motion')
      capabilities.reference_content_types.push('input_video')
      capabilities.event_handling = ['queue', 'steer', 'replace']
      capabilities.live_audio.interpretation = 'intent'
      capabilities.runtime_references = true
      capabilities.event_cancel = true
      Object.assign(capabilities, { camera: { pan: true, zoom: [1, 4] }, region: 'eu' })
      Object.assign(capabilities.limits, { max_reference_audio: 2, max_prompt_bytes: 9000 })
    },
  },
  {
    id: 'world-no-continuation',
    section: '2.12',
    text: 'World sessions can neither be held nor resumed, nor start on their own.',
    override: set('world.capabilities.continuation', { hold: false, resume: false, automatic: false }),
  },
  {
    id: 'world-480p-only',
    section: '4.5',
    text: 'World sessions have 480p, named or not.',
    override: set('world.create.resolutions', ['480p']),
  },
  {
    id: 'world-wide-only',
    section: '7',
    text: 'World sessions are wide, and 720p.',
    override: several(set('world.create.resolutions', ['720p']), set('world.create.aspectRatios', ['16:9'])),
  },
  {
    id: 'world-square-480p',
    section: '4.5',
    text: 'A square picture has 480p, named or not; every other one has 720p by default.',
    override: several(
      around(
        'world.create.output',
        (output) => (asked, defaults) =>
          output(asked, asked['aspect_ratio'] === '1:1' ? { ...defaults, resolution: '480p' } : defaults),
      ),
      add(
        'world.validations',
        'square-720p',
        validation('4.5', 'output.resolution', ({ output: asked }: WorldInput) => {
          return asked['aspect_ratio'] === '1:1' && asked['resolution'] === '720p'
        }),
      ),
    ),
  },
  {
    id: 'world-no-captions',
    section: '4.5',
    text: 'The model supports no captions.',
    override: add(
      'world.validations',
      'captions-unsupported',
      validation('4.5', 'output.captions', ({ output }: WorldInput) => output['captions'] === true),
    ),
  },
  {
    id: 'world-fps-other',
    section: '2.11',
    text: 'World sessions have 30 frames a second.',
    override: set('world.create.fps', 30),
  },
  {
    id: 'world-strict-bodies',
    section: '4.5',
    text: 'Unknown fields of a world create are refused.',
    override: add(
      'world.validations',
      'field-unknown',
      validation('4.5', 'body', ({ body }: WorldInput) => Object.keys(body).some((key) => !FIELDS.includes(key))),
    ),
  },
  {
    id: 'world-lenient-types',
    section: '4.5',
    text: 'Optional fields of another type count as omitted, and a reference may have an empty name.',
    override: remembering(() => {
      const optional = ['output', 'live_input', 'continuation', 'metadata', 'opening_frame']
      return [
        drop(
          'world.validations',
          'reference-name-empty',
          'reference-transcript-not-string',
          'reference-mime-type-not-string',
        ),
        drop(
          'world.validations',
          'duration-not-integer',
          'duration-not-positive',
          'max-idle-not-integer',
          'max-idle-not-positive',
        ),
        set('world.create.read', (body) =>
          Object.fromEntries(Object.entries(body).filter(([key, value]) => !optional.includes(key) || isWire(value))),
        ),
      ]
    }),
  },
  {
    id: 'world-lifetime-floor',
    section: '8',
    text: 'A lifetime below a minute is refused.',
    override: add(
      'world.validations',
      'duration-low',
      validation('4.5', 'max_session_duration_seconds', ({ body }: WorldInput) => {
        const asked = body['max_session_duration_seconds']
        return typeof asked === 'number' && asked < 60
      }),
    ),
  },
  {
    id: 'world-cap-3',
    section: '7',
    text: 'A workspace may have three open world sessions.',
    override: set('world.create.highestOpen', 3),
  },
]
