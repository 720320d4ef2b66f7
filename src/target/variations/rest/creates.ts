import { add, around, several, set } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { imagesOf } from '#target/behaviour/create'
import type { AssetsInput } from '#target/behaviour/validations/assets'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { type InputValidation, validation } from '#target/behaviour/validations/input-validation'
import type { PipelineInput } from '#target/behaviour/validations/pipeline'
import type { WorldInput } from '#target/behaviour/world/input'
import { Refusal } from '#target/refusal'
import { isWire, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { variationsOf } from '../table.ts'

/** What this service can fetch: the media that its operator offers for tries. */
const isReachable = (url: unknown): boolean =>
  typeof url !== 'string' || /^https:\/\/media\.example\.com\/(?:face\.png|voice\.wav)(?:[?#].*)?$/u.test(url)

const urlsOfWorld = ({ frame, references }: WorldInput): unknown[] => [
  frame['url'],
  ...references.flatMap((reference) => objectsAt(reference, 'content')).map((block) => block['url']),
]

const fetched = (input: CreateInput): boolean => input.avatars.flatMap(imagesOf).every(({ url }) => isReachable(url))

/** Adds a validation to the creates of both kinds, those from characters too. */
const inCreates = (name: string, rule: InputValidation<CreateInput>): Override =>
  several(add('validations.createSession', name, rule), add('validations.start.session', name, rule))

/** Integers and numbers that were written as text count as what they say, and fractions of integers are cut. */
function coerced(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((member) => coerced(member))
  if (isWire(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, coerced(member, key)]))
  if (!/_seconds$|_ms$|^temperature$|^max_output_tokens$|^speed$/u.test(name) || name === 'eou_timeout_ms') return value
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/u.test(value)) return coerced(Number(value), name)
  return typeof value === 'number' && /_seconds$|_ms$/u.test(name) ? Math.trunc(value) : value
}

const coercedBody = (body: JsonObject): JsonObject => {
  const read = coerced(body)
  return isWire(read) ? read : body
}

const unreadable = (): never => {
  throw new Refusal('20004', 'no JSON')
}

/** What a create may look at besides, and how it names what it finds. */
export const createVariations = variationsOf({
  'urls-fetched §2.3: Images and sounds of a create are fetched, and one that cannot be is refused ("Accessible image URL").':
    several(
      inCreates(
        'image-unreachable',
        validation('2.3', 'avatars.visual.source_images.url', (input: CreateInput) => !fetched(input)),
      ),
      add(
        'validations.createAssets',
        'audio-unreachable',
        validation('2.4', 'assets.audio.url', ({ given }: AssetsInput) =>
          objectsAt(given, 'audio').some(({ url }) => !isReachable(url)),
        ),
      ),
      add(
        'world.validations',
        'url-unreachable',
        validation('4.5', 'url', (input: WorldInput) => !urlsOfWorld(input).every(isReachable)),
      ),
    ),
  'text-sessions-take-no-image §4.1: A create in `text_chat` that names a source image is refused.': inCreates(
    'image-in-text',
    validation(
      '4.1',
      'session.source_image_id',
      ({ mode, session }: CreateInput) => mode === 'text_chat' && session['source_image_id'] !== undefined,
    ),
  ),
  'hearing-providers-own §2.6: No other provider of recognition is known than two whose names are told to customers only.':
    add(
      'validations.pipeline',
      'asr-provider-unknown',
      validation('2.6', 'pipeline_config.asr_config.provider', ({ given }: PipelineInput) => {
        const { provider } = objectAt(given, 'asr_config')
        return typeof provider === 'string' && !provider.startsWith('asr-7f3a')
      }),
    ),
  'numbers-coerced §4.1: A number that comes as a string counts as a number, and the fraction of an integer is cut.':
    several(
      around('create.read', (read) => (body) => read(coercedBody(body))),
      around('characters.read', (read) => (body) => read(coercedBody(body))),
      around('world.create.read', (read) => (body) => read(coercedBody(body))),
    ),
  'no-json-with-20004 §7: A create that is no JSON object is an invalid parameter.': several(
    set('create.unparsable', unreadable),
    set('world.create.unparsable', unreadable),
  ),
  'wrong-types-with-20004 §7: A field of a create whose JSON type is wrong is an invalid parameter.': ({
    validations,
    world,
  }) => {
    const { createSession, createAssets, conversation, pipeline, start } = validations
    for (const table of [createSession, createAssets, conversation, pipeline, start.session, world.validations])
      for (const [id, one] of Object.entries(table)) if (/-not-(?!https|image|one)/u.test(id)) one.code = '20004'
  },
  'starts-with-20004 §7: What is wrong with a start from a character is an invalid parameter (no code is named for it).':
    {
      warns: [
        'characters.code-30004.start-model-unsupported',
        'characters.code-30004.start-output-unsupported',
        'characters.code-30004.start-duration-unsupported',
      ],
      override: around(
        'http.coded',
        (coded) => (code, operation) =>
          coded(operation === 'create-session-from-character' && code === '30004' ? '20004' : code, operation),
      ),
    },
})
