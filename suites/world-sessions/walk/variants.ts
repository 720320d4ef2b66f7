import type { Context } from '#scenario/author/context'
import type { RequirementId } from '#spec/register'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { referencesOf, text } from '../bodies.ts'
import { offersOf } from '../create/offers.ts'
import type { World } from '../send.ts'

/** Rows that say what another body under a known key comes to. */
type ConflictRow = Extract<
  RequirementId,
  'world-sessions.idempotency.other-body-conflict' | 'world-sessions.idempotency.other-nested-value-conflict'
>

const whole: ConflictRow = 'world-sessions.idempotency.other-body-conflict'
const inside: ConflictRow = 'world-sessions.idempotency.other-nested-value-conflict'

/** Members of a body in the place of its own; undefined where it has none of them to change. */
interface Variant {
  readonly row: ConflictRow
  readonly change: (body: JsonObject, c: Context) => JsonObject | undefined
}

const variants: readonly Variant[] = [
  { row: whole, change: () => ({ continuation: { start_mode: 'manual', max_idle_ms: 41_000 } }) },
  { row: whole, change: (_, c) => framed(c) },
  {
    row: inside,
    change: ({ metadata }) => (isObject(metadata) ? { metadata: { ...metadata, take: 'two' } } : undefined),
  },
  { row: whole, change: ({ output }) => (output === undefined ? { output: { aspect_ratio: '9:16' } } : undefined) },
  { row: whole, change: (body) => prompt(contentOf(body).toReversed()) },
  { row: inside, change: (body) => referring(body) },
  { row: inside, change: (body) => prompt(contentOf(body).map(louder)) },
  { row: whole, change: (_, c) => prompt([text(`Something else: ${c.id('other')}.`)]) },
  // What a body leaves out may count as its default: this says something else.
  { row: whole, change: () => ({ live_input: { audio: { enabled: false, language: 'fr' } } }) },
  { row: whole, change: () => ({ max_session_duration_seconds: 1234 }) },
]

/** Bodies that differ from one that was sent in one thing at a time: what is no part of the comparison shows. */
export class Variants {
  readonly #c: Context
  #count = 0
  #takesTexts = false

  constructor(c: Context) {
    this.#c = c
  }

  /** What a session shows of what others here may hold. */
  learn(world: World): void {
    const { types, references } = offersOf(world, this.#c.profile)
    this.#takesTexts = types.has('input_text') && references > 0
  }

  /** The body with two blocks in an order, metadata, and a reference where sessions here take texts for one. */
  within(body: JsonObject): JsonObject {
    const { metadata } = body
    return {
      ...body,
      ...prompt([...contentOf(body), text('Gulls cry in the distance.')]),
      metadata: { ...(isObject(metadata) ? metadata : {}), take: 'one' },
      ...(this.#takesTexts ? { references: [{ name: 'captain', content: [text('A captain in a blue coat.')] }] } : {}),
    }
  }

  /** @returns the next one, and the row that says that it is a conflict */
  of(body: JsonObject): { readonly body: JsonObject; readonly row: ConflictRow } {
    for (const _ of variants) {
      const variant = variants[this.#count % variants.length]
      this.#count += 1
      const change = variant?.change(body, this.#c)
      if (variant !== undefined && change !== undefined) return { body: { ...body, ...change }, row: variant.row }
    }
    return { body: { ...body, ...prompt([text('Something else.')]) }, row: whole }
  }
}

function framed(c: Context): JsonObject | undefined {
  const { image_url: url } = c.profile.media ?? {}
  return url === undefined ? undefined : { opening_frame: { url: `${url}#${c.id('other')}` } }
}

const prompt = (content: readonly Json[]): JsonObject => ({ initial_prompt: { content } })

function contentOf({ initial_prompt: given }: JsonObject): readonly Json[] {
  const content = isObject(given) ? given['content'] : undefined
  return Array.isArray(content) ? (content as readonly Json[]) : []
}

/** The same block in capitals. */
const louder = (block: Json): Json =>
  isObject(block) && typeof block['text'] === 'string' ? { ...block, text: block['text'].toUpperCase() } : block

function referring(body: JsonObject): JsonObject | undefined {
  const [first, ...rest] = referencesOf(body)
  if (first === undefined) return undefined
  return { references: [{ ...first, content: [text('A captain in a red coat.')] }, ...rest] }
}
