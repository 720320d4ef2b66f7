import { add, set, several } from '#target/overrides/operators'
import type { Override } from '../behaviour/behaviour.ts'
import { imagesOf } from '../behaviour/create.ts'
import type { AssetsInput } from '../behaviour/validations/assets.ts'
import type { ConversationInput } from '../behaviour/validations/conversation.ts'
import type { CreateInput } from '../behaviour/validations/create-session.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { AdditionInput } from '../behaviour/validations/tables.ts'
import type { ResponseInput } from '../behaviour/validations/response-create.ts'
import { type JsonObject, isWire, objectAt, objectsAt, textOf, textsIn, wiresOf } from '../wire.ts'
import { variationsOf } from './table.ts'

/** Adds a bound to creates of both kinds. */
const onCreates = (name: string, param: string, broken: (input: CreateInput) => boolean): Override =>
  several(
    add('validations.createSession', name, validation('4.1', param, broken)),
    add('validations.start.session', name, validation('4.1', param, broken)),
  )

const isPlain = (id: unknown): boolean => typeof id !== 'string' || /^[\w.-]{0,64}$/u.test(id)

const lengthOf = (value: unknown): number => textOf(value)?.length ?? 0

const instructionsOf = ({ body, avatars }: CreateInput): unknown[] => [
  objectAt(body, 'conversation')['instructions'],
  ...avatars.map((avatar) => avatar['instructions']),
]

const idsOf = (avatars: readonly JsonObject[]): unknown[] =>
  avatars.flatMap((avatar) => [avatar['avatar_id'], ...imagesOf(avatar).map((image) => image['source_image_id'])])

const assetsIn = (holder: unknown): JsonObject[] => (isWire(holder) ? Object.values(holder).flatMap(wiresOf) : [])

const isLongAsset = ({ text, prompt }: JsonObject): boolean => [text, prompt].some((words) => lengthOf(words) > 1_000)

const isPlainTool = ({ name }: JsonObject): boolean => isPlain(name) && lengthOf(name) <= 48

const isOfOtherType = ({ media_type: type }: JsonObject): boolean =>
  !/^image\/(?:png|jpeg)$/u.test(textOf(type) ?? 'image/png')

const isUntyped = ({ given }: ConversationInput): boolean => {
  const { turn_detection: turns, input_audio_transcription: heard } = isWire(given) ? given : {}
  return (isWire(turns) && turns['type'] === undefined) || (isWire(heard) && heard['enabled'] === undefined)
}

const conversationTyped = validation('2.5', 'conversation', isUntyped)

const isLongUrl = (text: string): boolean => text.startsWith('http') && text.length > 2048

/** Limits that a service has and the interface does not name: "not shown" is not "none". */
export const boundVariations = variationsOf({
  'creates-bounded §4.1: A session has at most four avatars of three images each, eight assets and four tools.':
    several(
      onCreates(
        'too-many-avatars',
        'avatars',
        ({ avatars }) => avatars.length > 4 || avatars.some((one) => imagesOf(one).length > 3),
      ),
      onCreates(
        'too-many-tools',
        'conversation.tools',
        ({ body }) => objectsAt(objectAt(body, 'conversation'), 'tools').length > 4,
      ),
      add(
        'validations.createAssets',
        'too-many-assets',
        validation('2.4', 'assets', ({ given }: AssetsInput) => assetsIn(given).length > 8),
      ),
    ),
  'instructions-bounded §4.1: Instructions have at most two thousand characters.': onCreates(
    'instructions-long',
    'instructions',
    (input) => instructionsOf(input).some((text) => lengthOf(text) > 2000),
  ),
  'asset-texts-bounded §2.4: Texts and prompts of assets have at most a thousand characters, at create and by `asset.add`.':
    several(
      add(
        'validations.createAssets',
        'text-long',
        validation('2.4', 'assets', ({ given }: AssetsInput) => assetsIn(given).some(isLongAsset)),
      ),
      add(
        'validations.assetAddition',
        'text-long',
        validation('2.4', 'assets', ({ event }: AdditionInput) =>
          assetsIn(objectAt(event, 'assets')).some(isLongAsset),
        ),
      ),
    ),
  'caller-ids-plain §2.3: Ids of avatars and images are at most 64 letters, digits, dots, hyphens and underscores.':
    several(
      onCreates('ids-not-plain', 'avatars', ({ avatars }) => !idsOf(avatars).every(isPlain)),
      add(
        'validations.avatarAddition',
        'ids-not-plain',
        validation('2.3', 'avatars', ({ event }: AdditionInput) => !idsOf(wiresOf(event['avatars'])).every(isPlain)),
      ),
    ),
  'caller-ids-of-assets-plain §2.4: Ids of assets are at most 64 letters, digits, dots, hyphens and underscores.':
    several(
      add(
        'validations.createAssets',
        'ids-not-plain',
        validation(
          '2.4',
          'assets',
          ({ given }: AssetsInput) => !assetsIn(given).every((one) => isPlain(one['asset_id'])),
        ),
      ),
      add(
        'validations.assetAddition',
        'ids-not-plain',
        validation(
          '2.4',
          'assets',
          ({ event }: AdditionInput) => !assetsIn(objectAt(event, 'assets')).every((one) => isPlain(one['asset_id'])),
        ),
      ),
    ),
  'conversation-settings-typed §2.5: Turn detection has a type, and transcription says whether it is enabled.': several(
    add('validations.conversation', 'settings-untyped', conversationTyped),
    add('validations.character.conversation', 'settings-untyped', conversationTyped),
    add('validations.replacement.conversation', 'settings-untyped', conversationTyped),
  ),
  'item-ids-short §2.9: The id of an item has at most 32 characters.': add(
    'validations.itemCreate',
    'item-id-long',
    validation('2.9', 'item.id', ({ items }) => items.some((one) => lengthOf(one['id']) > 32)),
  ),
  'tool-names-plain §2.5: Names of tools are at most 48 letters, digits and underscores.': several(
    onCreates(
      'tool-name-not-plain',
      'conversation.tools',
      ({ body }) => !objectsAt(objectAt(body, 'conversation'), 'tools').every(isPlainTool),
    ),
    add(
      'validations.responseCreate',
      'tool-name-not-plain',
      validation(
        '4.4',
        'response.tools',
        ({ response }: ResponseInput) => !objectsAt(response, 'tools').every(isPlainTool),
      ),
    ),
  ),
  'speech-bounded §4.4: Scripted speech has at most four hundred characters (no bounds are given).': add(
    'validations.responseCreate',
    'speech-long',
    validation(
      '4.4',
      'response.script.vocal.text',
      ({ response }: ResponseInput) => lengthOf(objectAt(objectAt(response, 'script'), 'vocal')['text']) > 400,
    ),
  ),
  'tokens-refused-above §4.4: More than 1,024 tokens are refused (no bounds are given).': add(
    'validations.responseCreate',
    'tokens-many',
    validation(
      '4.4',
      'response.max_output_tokens',
      ({ response }: ResponseInput) =>
        Number(response['max_output_tokens']) > 1024 && response['max_output_tokens'] !== 'inf',
    ),
  ),
  'actions-bounded §4.4: An action lasts at most ten seconds (no bounds are given).': add(
    'validations.responseCreate',
    'action-long',
    validation('4.4', 'response.script.visual.duration_ms', ({ response }: ResponseInput) => {
      const { duration_ms: ms } = objectAt(objectAt(response, 'script'), 'visual')
      return typeof ms === 'number' && ms > 10_000
    }),
  ),
  'scripts-not-brief §4.4: Actions last at least half a second, supplied audio a quarter of one (no bounds are given).':
    add(
      'validations.responseCreate',
      'script-brief',
      validation('4.4', 'response.script', ({ response }: ResponseInput) => {
        const script = objectAt(response, 'script')
        const { duration_ms: ms } = objectAt(script, 'visual')
        const { audio } = objectAt(script, 'vocal')
        const isBriefWav = typeof audio === 'string' && audio.startsWith('UklGR') && audio.length < 10_700
        return isBriefWav || (typeof ms === 'number' && ms < 500)
      }),
    ),
  'image-types-few §2.3: Images are PNG or JPEG.': several(
    onCreates('image-type-unfit', 'avatars.visual.source_images.media_type', ({ avatars }) =>
      avatars.flatMap(imagesOf).some(isOfOtherType),
    ),
    add(
      'validations.avatarAddition',
      'image-type-unfit',
      validation('2.3', 'avatars.visual.source_images.media_type', ({ event }: AdditionInput) =>
        wiresOf(event['avatars']).flatMap(imagesOf).some(isOfOtherType),
      ),
    ),
  ),
  'urls-bounded §4.1: A URL has at most 2,048 characters.': onCreates('url-long', 'url', ({ body }) =>
    textsIn(body).some(isLongUrl),
  ),
  'messages-small §4.4: A message of more than sixteen kilobytes is refused by an error.': set(
    'frames.not-object.broken',
    (frame) =>
      (frame.value !== undefined && frame.event === undefined) ||
      JSON.stringify(frame.value ?? null).length > 16 * 1024,
  ),
})
