import { notOneOf, notWebUrl } from '#target/behaviour/validations/faults'
import { referenceBlocks, type WorldInput } from '#target/behaviour/world/input'
import { around, drop, except, set } from '#target/overrides/operators'
import { type JsonObject, objectsAt } from '#target/wire'
import { atEnds, type End, fewerReferences, narrowed } from '../tools/ends.ts'
import { isInherited } from '../tools/assets.ts'
import { defectsOf } from '../tools/table.ts'
import { blocksOfType, refuseWorld } from '../tools/world-sessions.ts'

const isText = (block: JsonObject): boolean => block['type'] === 'input_text'

const isKnown = ({ type }: JsonObject): boolean => ['input_text', 'input_image', 'input_audio'].includes(String(type))

const fewerBlocks = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  references: input.references.map((reference) => narrowed(reference, 'content', end)),
})

export const blocksDefects = defectsOf('world-sessions.blocks', {
  'text-accepted: A reference of texts alone is refused.': refuseWorld(({ references }) =>
    references.some((one) => objectsAt(one, 'content').every(isText)),
  ),
  'image-accepted: An image needs its MIME type.': refuseWorld((input) =>
    blocksOfType(input, 'input_image').some((one) => one['mime_type'] === undefined),
  ),
  'image-accepted~hidden: Images are refused, though the capabilities list them.': refuseWorld((input) =>
    referenceBlocks(input).some(({ type }) => type === 'input_image'),
  ),
  'image-mime-type-accepted: An image must not name its MIME type.': refuseWorld((input) =>
    blocksOfType(input, 'input_image').some((one) => one['mime_type'] !== undefined),
  ),
  'audio-accepted: Audio needs its transcript.': refuseWorld((input) =>
    blocksOfType(input, 'input_audio').some((one) => one['transcript'] === undefined),
  ),
  'audio-accepted~hidden: Audio is refused, though the capabilities list it.': refuseWorld((input) =>
    referenceBlocks(input).some(({ type }) => type === 'input_audio'),
  ),
  'audio-transcript-accepted: Audio must not bring its transcript.': refuseWorld((input) =>
    blocksOfType(input, 'input_audio').some((one) => one['transcript'] !== undefined),
  ),
  'several-accepted: A reference is one block.': refuseWorld(({ references }) =>
    references.some((one) => objectsAt(one, 'content').length > 1),
  ),
  'text-accepted~capitals: Names of references that differ in capitals alone count as the same.': refuseWorld(
    ({ references }) => {
      const names = references.map(({ name }) => String(name))
      return new Set(names.map((name) => name.toLowerCase())).size < new Set(names).size
    },
  ),
  'text-accepted~inherited: A name that objects have for a member by themselves counts as taken.': refuseWorld(
    ({ references }) => references.some(({ name }) => isInherited(name)),
  ),
  'several-accepted~kinds: The blocks of a reference must be of one type.': refuseWorld(({ references }) =>
    references.some((one) => new Set(objectsAt(one, 'content').map((block) => block['type'])).size > 1),
  ),
  'text-empty-rejected: An empty text is accepted in a reference.': drop('world.validations', 'reference-text-empty'),
  'text-missing-rejected: A text block may lack its text in a reference.': drop(
    'world.validations',
    'reference-text-missing',
  ),
  'image-url-missing-rejected: An image may lack its URL.': drop('world.validations', 'reference-image-url-missing'),
  'image-url-not-https-rejected: An image may come by plain HTTP.': set(
    'world.validations.reference-image-url-not-https.broken',
    (input) => blocksOfType(input, 'input_image').some((block) => notWebUrl(block['url'])),
  ),
  'audio-url-missing-rejected: Audio may lack its URL.': drop('world.validations', 'reference-audio-url-missing'),
  'audio-url-not-https-rejected: Audio may come by plain HTTP.': set(
    'world.validations.reference-audio-url-not-https.broken',
    (input) => blocksOfType(input, 'input_audio').some((block) => notWebUrl(block['url'])),
  ),
  'unknown-type-rejected: Blocks of unknown types are accepted.': drop(
    'world.validations',
    'reference-type-unsupported',
  ),
  'unknown-type-rejected~event: A block type of Events is accepted in references.': except(
    'world.validations',
    'reference-type-unsupported',
    ({ references, capabilities }) =>
      references
        .flatMap((one) => objectsAt(one, 'content'))
        .every(({ type }) => type === 'input_reference' || !notOneOf(type, capabilities.reference_content_types)),
  ),
  'unknown-type-rejected~one-reference: References of unknown types alone are dropped.': [
    drop('world.validations', 'reference-type-unsupported'),
    around(
      'world.create.references',
      (references) => (body) => references(body).filter(({ content }) => content.some(isKnown)),
    ),
  ],
  'unlisted-beside-listed-rejected: A block of an unlisted type is dropped when others stand beside it.': set(
    'world.validations.reference-type-unsupported.broken',
    ({ references, capabilities }) =>
      references.some((one) => {
        const types = objectsAt(one, 'content').map(({ type }) => type)
        return types.length > 0 && !types.some((type) => capabilities.reference_content_types.includes(String(type)))
      }),
  ),
  'unlisted-beside-listed-rejected~first: Only the first block of a reference is looked at.': set(
    'world.validations.reference-type-unsupported.broken',
    ({ references, capabilities }) =>
      references.some((one) => {
        const [first] = objectsAt(one, 'content')
        return first !== undefined && !capabilities.reference_content_types.includes(String(first['type']))
      }),
  ),
  'type-missing-rejected: A block without type is taken for a text.': drop(
    'world.validations',
    'reference-type-missing',
    'prompt-type-missing',
  ),
  ...atEnds('block', 'world.validations', fewerBlocks, {
    'text-empty-rejected': ['reference-text-empty', 'an empty text'],
    'image-url-missing-rejected': ['reference-image-url-missing', 'the URL of an image'],
    'audio-url-missing-rejected': ['reference-audio-url-missing', 'the URL of a recording'],
    'image-url-not-https-rejected': ['reference-image-url-not-https', 'https'],
    'audio-url-not-https-rejected': ['reference-audio-url-not-https', 'https'],
    'unknown-type-rejected': ['reference-type-unsupported', 'its type'],
  }),
  ...atEnds('reference', 'world.validations', fewerReferences, {
    'image-url-missing-rejected': ['reference-image-url-missing', 'the URL of an image'],
    'audio-url-missing-rejected': ['reference-audio-url-missing', 'the URL of a recording'],
  }),
})
