import { drop, set, around, add, several, remembering } from '#target/overrides/operators'
import { validation } from '#target/behaviour/validations/input-validation'
import type { WorldInput } from '#target/behaviour/world/input'
import { isWire, objectAt, objectsAt } from '#target/wire'
import { variationsOf } from '../table.ts'

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
export const worldContractVariations = variationsOf({
  'world-no-live-audio §2.12: World sessions take no live audio.': set('world.capabilities.live_audio', {
    supported: false,
    interpretation: 'none',
  }),
  'world-no-live-audio-untold §2.12: World sessions take no live audio, and do not tell how they would interpret it.':
    set('world.capabilities.live_audio', { supported: false }),
  'world-no-live-audio-bare §2.11: World sessions take no live audio, and `live_input` is empty where none was sent.':
    several(
      set('world.capabilities.live_audio', { supported: false }),
      set('world.create.liveInput', (body) => objectAt(body, 'live_input')),
    ),
  'world-references-without-audio §2.12: References hold texts and images only.': set(
    'world.capabilities.reference_content_types',
    ['input_text', 'input_image'],
  ),
  'world-references-of-text §2.12: References hold texts only, and two of them are enough.': several(
    set('world.capabilities.reference_content_types', ['input_text']),
    set('world.capabilities.limits', { max_event_bytes: 4096, max_references: 2, max_reference_images: 0 }),
  ),
  'world-no-references §2.12: World sessions take no references.': {
    // A small deployment says that it takes one.
    contradicts: /^world-deployments-differ/,
    override: several(
      set('world.capabilities.reference_content_types', []),
      set('world.capabilities.limits', { max_event_bytes: 1024, max_references: 0, max_reference_images: 0 }),
    ),
  },
  'world-limits-low §2.12: World sessions take three references with one image.': set('world.capabilities.limits', {
    max_event_bytes: 65_536,
    max_references: 3,
    max_reference_images: 1,
  }),
  'world-limits-high §2.12: World sessions take hundreds of references and of images.': set(
    'world.capabilities.limits',
    {
      max_event_bytes: 2 ** 40,
      max_references: 400,
      max_reference_images: 300,
    },
  ),
  'world-images-per-reference §2.12: The limit of images counts for each reference.': set(
    'world.validations.reference-images-too-many.broken',
    ({ references, capabilities }) =>
      references.some(
        (one) =>
          objectsAt(one, 'content').filter(({ type }) => type === 'input_image').length >
          capabilities.limits.max_reference_images,
      ),
  ),
  'world-capabilities-more §2.12: Capabilities list types, modes and features that the spec does not know.': ({
    world: { capabilities },
  }) => {
    capabilities.event_content_types.push('input_motion')
    capabilities.reference_content_types.push('input_video')
    capabilities.event_handling = ['queue', 'steer', 'replace']
    capabilities.live_audio.interpretation = 'intent'
    capabilities.runtime_references = true
    capabilities.event_cancel = true
    Object.assign(capabilities, { camera: { pan: true, zoom: [1, 4] }, region: 'eu' })
    Object.assign(capabilities.limits, { max_reference_audio: 2, max_prompt_bytes: 9000 })
  },
  'world-no-continuation §2.12: World sessions can neither be held nor resumed, nor start on their own.': set(
    'world.capabilities.continuation',
    { hold: false, resume: false, automatic: false },
  ),
  'world-480p-only §4.5: World sessions have 480p, named or not.': set('world.create.resolutions', ['480p']),
  'world-wide-only §7: World sessions are wide, and 720p.': several(
    set('world.create.resolutions', ['720p']),
    set('world.create.aspectRatios', ['16:9']),
  ),
  'world-square-480p §4.5: A square picture has 480p, named or not; every other one has 720p by default.': several(
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
  'world-no-captions §4.5: The model supports no captions.': add(
    'world.validations',
    'captions-unsupported',
    validation('4.5', 'output.captions', ({ output }: WorldInput) => output['captions'] === true),
  ),
  'world-fps-other §2.11: World sessions have 30 frames a second.': set('world.create.fps', 30),
  'world-strict-bodies §4.5: Unknown fields of a world create are refused.': add(
    'world.validations',
    'field-unknown',
    validation('4.5', 'body', ({ body }: WorldInput) => Object.keys(body).some((key) => !FIELDS.includes(key))),
  ),
  'world-lenient-types §4.5: Optional fields of another type count as omitted, and a reference may have an empty name.':
    remembering(() => {
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
  'world-lifetime-floor §8: A lifetime below a minute is refused.': add(
    'world.validations',
    'duration-low',
    validation('4.5', 'max_session_duration_seconds', ({ body }: WorldInput) => {
      const asked = body['max_session_duration_seconds']
      return typeof asked === 'number' && asked < 60
    }),
  ),
  'world-cap-3 §7: A workspace may have three open world sessions.': set('world.create.highestOpen', 3),
})
