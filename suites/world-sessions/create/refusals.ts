import type { Refusal } from '#scenario/author/expectation'
import type { Condition } from '#trace/claim'
import type { Tier } from '#trace/entry'
import { isObject, type Json, type JsonObject } from '#trace/json'
import type { Between } from '../names.ts'
import { merged, referencesOf, text, without } from '../bodies.ts'
import type { Offers } from './offers.ts'

type Part = 'create' | 'blocks'
export type RefusalRow =
  | { [Of in Part]: `world-sessions.${Of}.${Between<`world-sessions.${Of}.`, '-rejected'>}-rejected` }[Part]
  | `world-sessions.capabilities.${Between<'world-sessions.capabilities.', '-rejected'>}-rejected`
  | `world-sessions.code-30004.${Between<'world-sessions.code-30004.', ''>}`

/** A fault that a create must not get through with; rows with a code ask for 30004. */
export interface Faulty extends Refusal<RefusalRow> {
  readonly rows: readonly RefusalRow[]
  /** The option that the body carries without fault; the minimal body where missing. */
  readonly on?: string
  /** The body with the fault: the only difference. */
  readonly fault: (body: JsonObject) => JsonObject
  readonly tier?: Tier
  /** What makes an acceptance right: the session itself shows that it can do this. Its exchange is that of the create. */
  readonly offered?: (exchange: number) => Condition
}

const create = (name: Between<'world-sessions.create.', '-rejected'>) =>
  [`world-sessions.create.${name}-rejected`] as const
const block = (name: Between<'world-sessions.blocks.', '-rejected'>) =>
  [`world-sessions.blocks.${name}-rejected`] as const
const code = (name: Between<'world-sessions.code-30004.', ''>) => [`world-sessions.code-30004.${name}`] as const

const over =
  (change: JsonObject) =>
  (body: JsonObject): JsonObject =>
    merged(body, change)

const cut =
  (name: string) =>
  (body: JsonObject): JsonObject =>
    without(body, name)

/** The prompt keeps its good block, which stands first, and gets another one at its end. */
const prompted = (one: JsonObject) => over({ initial_prompt: { content: [one, text('A boat passes.')] } })

const unknownBlock = { type: 'input_dream', text: 'A whale.' }
/** A type that Events know (2.12): beside it stands what a block of another type would need. */
const eventBlock = { type: 'input_reference', name: 'captain', text: 'A whale.' }

export const promptRefusals: readonly Faulty[] = [
  { rows: create('model-missing'), coded: code('model-missing'), fault: cut('model') },
  { rows: create('model-unknown'), fault: over({ model: 'svc-w1-stream-ultra' }) },
  { rows: create('avatar-model'), fault: over({ model: 'svc-a1-stream' }) },
  { rows: create('initial-prompt-missing'), coded: code('initial-prompt-missing'), fault: cut('initial_prompt') },
  {
    rows: create('initial-prompt-content-missing'),
    coded: code('initial-prompt-content-missing'),
    fault: (body) => ({ ...body, initial_prompt: {} }),
  },
  {
    rows: create('initial-prompt-content-empty'),
    fault: (body) => ({ ...body, initial_prompt: { content: [] } }),
  },
  { rows: create('initial-prompt-unknown-type'), fault: prompted(unknownBlock) },
  // The types of other places: "v1 accepts one or more `input_text` blocks" (4.5).
  { rows: create('initial-prompt-unknown-type'), fault: prompted(eventBlock) },
  { rows: create('initial-prompt-text-empty'), fault: prompted(text('')) },
  { rows: create('initial-prompt-text-missing'), fault: prompted({ type: 'input_text' }) },
  { rows: block('type-missing'), fault: prompted({ text: 'Gulls cry.' }) },
]

export const optionRefusals: readonly Faulty[] = [
  {
    rows: create('aspect-ratio-unknown'),
    coded: code('aspect-ratio-unknown'),
    fault: over({ output: { aspect_ratio: '4:3' } }),
  },
  {
    rows: create('resolution-unknown'),
    coded: code('resolution-unknown'),
    fault: over({ output: { resolution: '1080p' } }),
  },
  { rows: create('start-mode-unknown'), on: 'manual', fault: over({ continuation: { start_mode: 'sometimes' } }) },
]

/** Faults of an opening frame with this image. */
export function frameRefusals(image: string): readonly Faulty[] {
  const on = 'frame-url'
  return [
    {
      rows: create('initial-prompt-image'),
      on,
      fault: prompted({ type: 'input_image', url: image }),
    },
    // A picture to begin with is no prompt.
    { rows: create('initial-prompt-missing'), on: 'frame', fault: cut('initial_prompt') },
    {
      rows: create('opening-frame-url-missing'),
      coded: code('opening-frame-url-missing'),
      on: 'frame',
      fault: (body) => ({ ...body, opening_frame: without(inside(body['opening_frame']), 'url') }),
    },
    {
      rows: create('opening-frame-url-not-https'),
      coded: code('opening-frame-url-not-https'),
      on,
      fault: over({ opening_frame: { url: plainHttp(image) } }),
    },
    {
      rows: create('opening-frame-url-no-url'),
      coded: code('opening-frame-url-no-url'),
      on,
      // It begins like one, and has no host: RFC 9110 has it rejected as invalid (4.2.2).
      fault: over({ opening_frame: { url: 'https://' } }),
    },
    {
      rows: create('opening-frame-mime-type-not-image'),
      on,
      fault: over({ opening_frame: { mime_type: 'text/plain' } }),
      tier: 'full',
    },
  ]
}

/** A recording that stands in the prompt. */
export function soundRefusals(audio: string): readonly Faulty[] {
  return [
    { rows: create('initial-prompt-unknown-type'), on: 'audio', fault: prompted({ type: 'input_audio', url: audio }) },
  ]
}

/**
 * Faults of references, each between two that are whole where there is room.
 *
 * @param plain a block that they may hold
 */
export function referenceRefusals(
  plain: JsonObject,
  { references: most, types }: Pick<Offers, 'references' | 'types'>,
): readonly Faulty[] {
  const on = 'several'
  const second = { name: 'second', content: [plain] }
  const third = most < 3 ? [] : [{ name: 'third', content: [plain] }]
  const behind = (one: JsonObject) =>
    most < 2 ? widened(one) : over({ references: [{ ...second, content: [plain, one, plain] }, ...third] })
  const unlisted = [...block('unknown-type'), ...block('unlisted-beside-listed')]
  return [
    {
      rows: create('reference-name-missing'),
      coded: code('reference-name-missing'),
      on,
      fault: over({ references: [{ content: [plain] }, ...third] }),
    },
    {
      rows: create('reference-name-duplicate'),
      coded: code('reference-name-duplicate'),
      on,
      fault: (body) =>
        merged(body, {
          // Not side by side where there is room for three.
          references: [
            ...(most < 3 ? [] : [second]),
            { name: referencesOf(body)[0]?.['name'] ?? '', content: [plain] },
          ],
        }),
    },
    {
      rows: create('reference-content-missing'),
      coded: code('reference-content-missing'),
      on,
      fault: over({ references: [{ name: 'second' }, ...third] }),
    },
    {
      rows: create('reference-content-empty'),
      on,
      fault: over({ references: [{ name: 'second', content: [] }, ...third] }),
    },
    { rows: unlisted, on, fault: behind(types.has(eventBlock.type) ? unknownBlock : eventBlock) },
    { rows: block('text-empty'), on: 'text', fault: behind(text('')) },
    { rows: block('text-missing'), on: 'text', fault: behind({ type: 'input_text' }) },
  ]
}

/**
 * Faults of the block of a reference that holds nothing but a URL.
 *
 * @param before what stands whole around it
 */
export function urlRefusals(
  kind: 'image' | 'audio',
  url: string,
  before: { readonly block: JsonObject | undefined; readonly most: number },
): readonly Faulty[] {
  const amid = (one: JsonObject) => (body: JsonObject) => ({ ...body, references: amongWhole(one, before) })
  return [
    { rows: block(`${kind}-url-missing`), on: kind, fault: amid({ type: `input_${kind}` }) },
    {
      rows: block(`${kind}-url-not-https`),
      coded: code('reference-url-not-https'),
      on: kind,
      fault: amid({ type: `input_${kind}`, url: plainHttp(url) }),
    },
  ]
}

/** In the midst of a reference that stands in the midst of others; alone where these sessions take no texts beside it. */
function amongWhole(
  one: JsonObject,
  { block: whole, most }: { readonly block: JsonObject | undefined; readonly most: number },
): readonly JsonObject[] {
  if (whole?.['type'] !== 'input_text') return [{ name: 'sole', content: [one] }]
  const faulty = { name: 'second', content: [whole, one, whole] }
  if (most < 2) return [faulty]
  const [first, third] = ['first', 'third'].map((name) => ({ name, content: [whole] }))
  return [...(first === undefined ? [] : [first]), faulty, ...(most < 3 || third === undefined ? [] : [third])]
}

/** A block more in the first reference, behind the good ones. */
export function widened(one: JsonObject): (body: JsonObject) => JsonObject {
  return (body) => {
    const [first = {}, ...rest] = referencesOf(body)
    const content = Array.isArray(first['content']) ? (first['content'] as readonly Json[]) : []
    return { ...body, references: [{ ...first, content: [...content, one] }, ...rest] }
  }
}

function inside(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function plainHttp(url: string): string {
  return url.replace(/^https:/i, 'http:')
}
