import { imageOf, imagesOf } from '#target/behaviour/create'
import type { CreateInput } from '#target/behaviour/rules/create-session'
import { repeated } from '#target/behaviour/rules/faults'
import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, type Wire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'

/** Drops what repeats an id within one array of assets, so that the repetition passes. */
function forgives({ rules }: Behaviour, name: string): void {
  const { broken } = rules.createAssets['asset-id-repeated']
  rules.createAssets['asset-id-repeated'].broken = (input) => {
    if (!isWire(input.given)) return broken(input)
    const ids = new Set<unknown>()
    const first = wiresAt(input.given, name).filter(({ asset_id: id }) => {
      const fresh = !ids.has(id)
      ids.add(id)
      return fresh
    })
    return broken({ ...input, given: { ...input.given, [name]: first } })
  }
}

/** Looks at the images of the active avatar alone. */
function activeOnly(
  { rules }: Behaviour,
  id: keyof Behaviour['rules']['avatars'],
  faulty: (image: Wire) => boolean,
): void {
  waive(rules.avatars, id)
  demand(
    rules.createSession,
    `${id}-of-active`,
    rule('2.3', 'avatars.visual', ({ active }: CreateInput) => imagesOf(active).some(faulty)),
  )
}

/** Creates that no service may take, with the fault in the second array, beside another field, in another avatar. */
export const overlookedRefusalDefects = [
  ...defectsOf('avatar-sessions', {
    'assets.duplicate-within-array-rejected~visual-prompts': [
      'Two visual prompts may have one id.',
      (behaviour) => forgives(behaviour, 'visual_prompts'),
    ],
    'assets.duplicate-within-array-rejected~audio': [
      'Two audio assets may have one id.',
      (behaviour) => forgives(behaviour, 'audio'),
    ],
    'pipeline.tts-voice-id-missing-rejected~beside-provider': [
      'No tts_voice_id is asked for beside provider and model.',
      ({ rules }) => {
        const { broken } = rules.pipeline['tts-voice-missing']
        rules.pipeline['tts-voice-missing'].broken = (input) => {
          const tts = wireAt(input.given, 'tts_config')
          return broken(input) && !(tts['tts_provider'] !== undefined && tts['tts_model_id'] !== undefined)
        }
      },
    ],
    'pipeline.llm-backend-other-rejected~own-url': [
      'Beside llm_base_url any backend is taken.',
      ({ rules }) => {
        const { broken } = rules.pipeline['llm-backend-unknown']
        rules.pipeline['llm-backend-unknown'].broken = (input) =>
          broken(input) && wireAt(input.given, 'llm_config')['llm_base_url'] === undefined
      },
    ],
    'create.default-source-image-unknown-rejected~other-avatar': [
      'A default image may be one of another avatar.',
      ({ rules }) => {
        const { broken } = rules.createSession['source-image-unresolved']
        rules.createSession['source-image-unresolved'].broken = (input) => {
          const { sourceImageId: id, active } = input
          if (!broken(input)) return false
          const foreign = id !== undefined && imageOf(active, id) === undefined
          return !(foreign && input.avatars.some((one) => imageOf(one, id) !== undefined))
        }
      },
    ],
    'avatars.source-image-id-duplicate-rejected~inactive': [
      'Only the image ids of the active avatar are compared.',
      ({ rules }) => {
        waive(rules.avatars, 'source-image-id-repeated')
        demand(
          rules.createSession,
          'images-of-active',
          rule('2.3', 'avatars.visual', ({ active }: CreateInput) => repeated(imagesOf(active), 'source_image_id')),
        )
      },
    ],
    'avatars.source-image-id-missing-rejected~inactive': [
      'Only images of the active avatar need an id.',
      (behaviour) =>
        activeOnly(behaviour, 'source-image-id-missing', (image) => image['source_image_id'] === undefined),
    ],
    'avatars.media-type-missing-rejected~inactive': [
      'Only images of the active avatar need a media_type.',
      (behaviour) => activeOnly(behaviour, 'media-type-missing', (image) => image['media_type'] === undefined),
    ],
    'avatars.media-type-not-image-rejected~inactive': [
      'Only images of the active avatar need a media_type of an image.',
      (behaviour) =>
        activeOnly(behaviour, 'media-type-not-image', (image) => !String(image['media_type']).startsWith('image/')),
    ],
  }),
  ...defectsOf('limits', {
    'interaction-idle-timeout.above-duration-rejected~both': [
      'Beside a disconnected timeout the idle one is not compared with the duration.',
      ({ rules }) => {
        const { broken } = rules.createSession['idle-over-duration']
        rules.createSession['idle-over-duration'].broken = (input) =>
          broken(input) && !wireAt(input.body, 'auto_close')['disconnected_timeout_seconds']
      },
    ],
    'disconnected-timeout.above-duration-rejected~both': [
      'Beside an idle timeout the disconnected one is not compared with the duration.',
      ({ rules }) => {
        const { broken } = rules.createSession['disconnected-over-duration']
        rules.createSession['disconnected-over-duration'].broken = (input) =>
          broken(input) && !wireAt(input.body, 'auto_close')['interaction_idle_timeout_seconds']
      },
    ],
  }),
]
