import type { Behaviour } from '#target/behaviour/behaviour'
import type { ConversationInput } from '#target/behaviour/rules/conversation'
import type { ItemsInput } from '#target/behaviour/rules/items'
import type { ResponseInput } from '#target/behaviour/rules/response-create'
import type { WorldInput } from '#target/behaviour/world/input'
import { defectsOf } from '../table.ts'
import { atEnds, type End, endOf, type Looked, narrowed, showLess } from './places.ts'

type ToolRule = 'tool-type-missing' | 'tool-name-missing' | 'tool-type-not-function'
type ResponseRule =
  | 'tool-type-mcp'
  | 'tool-type-missing'
  | 'tool-name-missing'
  | 'tool-type-not-function'
  | 'reference-unknown'

const tool = (row: string, what: string, rule: ToolRule): Looked => ({
  row,
  what,
  look: ({ rules }, end) =>
    showLess(rules.conversation[rule], (input: ConversationInput) => ({
      ...input,
      given: narrowed(input.given, 'tools', end),
    })),
})

const ofResponse = (row: string, what: string, rule: ResponseRule, list: 'tools' | 'input'): Looked => ({
  row,
  what,
  look: ({ rules }, end) =>
    showLess(rules.responseCreate[rule], (input: ResponseInput) => ({
      ...input,
      response: narrowed(input.response, list, end),
    })),
})

const part = (row: string, what: string): Looked => ({
  row,
  what,
  look: ({ rules }, end) =>
    showLess(rules.items['part-type-unknown'], (input: ItemsInput) => ({
      ...input,
      items: input.items.map((item) => narrowed(item, 'content', end)),
    })),
})

type WorldRule = keyof Behaviour['world']['rules']

const ofWorld = (
  row: string,
  what: string,
  rule: WorldRule,
  less: (input: WorldInput, end: End) => WorldInput,
): Looked => ({
  row,
  what,
  look: ({ world }, end) => showLess(world.rules[rule], (input: WorldInput) => less(input, end)),
})

const fewerPromptBlocks = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  prompt: narrowed(input.prompt, 'content', end),
})
const fewerReferences = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  references: endOf(input.references, end),
})
const fewerBlocks = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  references: input.references.map((reference) => narrowed(reference, 'content', end)),
})

/** Of several tools, parts, references or blocks one end is held to the rules. */
export const listPlaceDefects = [
  ...defectsOf(
    'avatar-sessions',
    atEnds('tool', [
      tool('conversation.tool-type-missing-rejected', 'its type', 'tool-type-missing'),
      tool('conversation.tool-name-missing-rejected', 'its name', 'tool-name-missing'),
      tool('conversation.tool-type-unknown-rejected', 'another type', 'tool-type-not-function'),
    ]),
  ),
  ...defectsOf('control-channel', {
    ...atEnds('tool', [
      ofResponse('response-create.tools-mcp-rejected', '`mcp`', 'tool-type-mcp', 'tools'),
      ofResponse('response-create.tools-type-missing-rejected', 'its type', 'tool-type-missing', 'tools'),
      ofResponse('response-create.tools-name-missing-rejected', 'its name', 'tool-name-missing', 'tools'),
      ofResponse('response-create.tools-other-type-rejected', 'another type', 'tool-type-not-function', 'tools'),
    ]),
    ...atEnds('reference', [
      ofResponse('response-create.input-unknown-reference-rejected', 'its item', 'reference-unknown', 'input'),
    ]),
    ...atEnds('part', [part('item-create.unknown-part-type-rejected', 'its type')]),
  }),
  ...defectsOf('world-sessions', {
    ...atEnds('block', [
      ofWorld('create.initial-prompt-text-empty-rejected', 'an empty text', 'prompt-text-empty', fewerPromptBlocks),
      ofWorld('create.initial-prompt-text-missing-rejected', 'a text', 'prompt-text-missing', fewerPromptBlocks),
      ofWorld('create.initial-prompt-unknown-type-rejected', 'its type', 'prompt-type-unsupported', fewerPromptBlocks),
      ofWorld('blocks.text-empty-rejected', 'an empty text', 'reference-text-empty', fewerBlocks),
      ofWorld('blocks.image-url-missing-rejected', 'the URL of an image', 'reference-image-url-missing', fewerBlocks),
      ofWorld(
        'blocks.audio-url-missing-rejected',
        'the URL of a recording',
        'reference-audio-url-missing',
        fewerBlocks,
      ),
      ofWorld('blocks.image-url-not-https-rejected', 'https', 'reference-image-url-not-https', fewerBlocks),
      ofWorld('blocks.audio-url-not-https-rejected', 'https', 'reference-audio-url-not-https', fewerBlocks),
      ofWorld('blocks.unknown-type-rejected', 'its type', 'reference-type-unsupported', fewerBlocks),
    ]),
    ...atEnds('reference', [
      ofWorld('create.reference-name-missing-rejected', 'its name', 'reference-name-missing', fewerReferences),
      ofWorld('create.reference-content-missing-rejected', 'content', 'reference-content-missing', fewerReferences),
      ofWorld('create.reference-content-empty-rejected', 'empty content', 'reference-content-empty', fewerReferences),
      ofWorld(
        'blocks.image-url-missing-rejected',
        'the URL of an image',
        'reference-image-url-missing',
        fewerReferences,
      ),
      ofWorld(
        'blocks.audio-url-missing-rejected',
        'the URL of a recording',
        'reference-audio-url-missing',
        fewerReferences,
      ),
    ]),
  }),
]
