import { notWebUrl } from '#target/behaviour/rules/faults'
import { waive } from '#target/behaviour/rules/waive'
import { type Wire, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { blocksOf, blocksOfType, refuseWorld } from './tools.ts'

const acceptedDefects = defectsOf('world-sessions', {
  'blocks.text-accepted': [
    'A reference of texts alone is refused.',
    (b) => refuseWorld(b, ({ references }) => references.some((one) => wiresAt(one, 'content').every(isText))),
  ],
  'blocks.image-accepted': [
    'An image needs its MIME type.',
    (b) => refuseWorld(b, (input) => blocksOfType(input, 'input_image').some((one) => one['mime_type'] === undefined)),
  ],
  'blocks.image-mime-type-accepted': [
    'An image must not name its MIME type.',
    (b) => refuseWorld(b, (input) => blocksOfType(input, 'input_image').some((one) => one['mime_type'] !== undefined)),
  ],
  'blocks.audio-accepted': [
    'Audio needs its transcript.',
    (b) => refuseWorld(b, (input) => blocksOfType(input, 'input_audio').some((one) => one['transcript'] === undefined)),
  ],
  'blocks.audio-transcript-accepted': [
    'Audio must not bring its transcript.',
    (b) => refuseWorld(b, (input) => blocksOfType(input, 'input_audio').some((one) => one['transcript'] !== undefined)),
  ],
  'blocks.several-accepted': [
    'A reference is one block.',
    (b) => refuseWorld(b, ({ references }) => references.some((one) => wiresAt(one, 'content').length > 1)),
  ],
  'blocks.several-accepted~kinds': [
    'The blocks of a reference must be of one type.',
    (b) =>
      refuseWorld(b, ({ references }) =>
        references.some((one) => new Set(wiresAt(one, 'content').map((block) => block['type'])).size > 1),
      ),
  ],
})

const isText = (block: Wire): boolean => block['type'] === 'input_text'

const rejectedDefects = defectsOf('world-sessions', {
  'blocks.text-empty-rejected': [
    'An empty text is accepted in a reference.',
    ({ world }) => waive(world.rules, 'reference-text-empty'),
  ],
  'blocks.text-missing-rejected': [
    'A text block may lack its text in a reference.',
    ({ world }) => waive(world.rules, 'reference-text-missing'),
  ],
  'blocks.image-url-missing-rejected': [
    'An image may lack its URL.',
    ({ world }) => waive(world.rules, 'reference-image-url-missing'),
  ],
  'blocks.image-url-not-https-rejected': [
    'An image may come by plain HTTP.',
    ({ world: { rules } }) => {
      rules['reference-image-url-not-https'].broken = (input) =>
        blocksOfType(input, 'input_image').some((block) => notWebUrl(block['url']))
    },
  ],
  'blocks.audio-url-missing-rejected': [
    'Audio may lack its URL.',
    ({ world }) => waive(world.rules, 'reference-audio-url-missing'),
  ],
  'blocks.audio-url-not-https-rejected': [
    'Audio may come by plain HTTP.',
    ({ world: { rules } }) => {
      rules['reference-audio-url-not-https'].broken = (input) =>
        blocksOfType(input, 'input_audio').some((block) => notWebUrl(block['url']))
    },
  ],
  'blocks.unknown-type-rejected': [
    'Blocks of unknown types are accepted.',
    ({ world }) => waive(world.rules, 'reference-type-unsupported'),
  ],
  'blocks.unlisted-beside-listed-rejected': [
    'A block of an unlisted type is dropped when others stand beside it.',
    ({ world: { rules } }) => {
      rules['reference-type-unsupported'].broken = ({ references, capabilities }) =>
        references.some((one) => {
          const types = wiresAt(one, 'content').map(({ type }) => type)
          return types.length > 0 && !types.some((type) => capabilities.reference_content_types.includes(String(type)))
        })
    },
  ],
  'blocks.unlisted-beside-listed-rejected~first': [
    'Only the first block of a reference is looked at.',
    ({ world: { rules } }) => {
      rules['reference-type-unsupported'].broken = ({ references, capabilities }) =>
        references.some((one) => {
          const [first] = wiresAt(one, 'content')
          return first !== undefined && !capabilities.reference_content_types.includes(String(first['type']))
        })
    },
  ],
  'blocks.unknown-type-rejected~one-reference': [
    'References of unknown types alone are dropped.',
    ({ world }) => {
      const { references } = world.create
      waive(world.rules, 'reference-type-unsupported')
      world.create.references = (body) => references(body).filter(({ content }) => content.some(isKnown))
    },
  ],
  'blocks.type-missing-rejected': [
    'A block without type is taken for a text.',
    ({ world }) => waive(world.rules, 'reference-type-missing', 'prompt-type-missing'),
  ],
  'blocks.image-accepted~hidden': [
    'Images are refused, though the capabilities list them.',
    (b) => refuseWorld(b, (input) => blocksOf(input).some(({ type }) => type === 'input_image')),
  ],
  'blocks.audio-accepted~hidden': [
    'Audio is refused, though the capabilities list it.',
    (b) => refuseWorld(b, (input) => blocksOf(input).some(({ type }) => type === 'input_audio')),
  ],
})

const isKnown = ({ type }: Wire): boolean => ['input_text', 'input_image', 'input_audio'].includes(String(type))

export const worldBlockDefects = [...acceptedDefects, ...rejectedDefects]
