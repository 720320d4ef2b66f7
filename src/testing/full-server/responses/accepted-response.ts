import type { JsonObject } from '../reader.ts'

export interface Invocation {
  readonly name: string
  readonly arguments: string
}

/** What one response will do, decided when it starts. */
export type Plan =
  | {
      readonly kind: 'text'
      /** What is said, an item each. */
      readonly parts: readonly string[]
      /** Words in all. */
      readonly limit: number
      readonly visual_ms: number
      /** What follows upon the words. */
      readonly call?: Invocation | undefined
    }
  | { readonly kind: 'call'; readonly call: Invocation }
  | { readonly kind: 'silent'; readonly ms: number }

/** One accepted `response.create` with the inputs of its time. */
export interface AcceptedResponse {
  /** The client event's id. */
  readonly asked: string | undefined
  /** Whether its output is written to the default conversation. */
  readonly writes: boolean
  readonly video: boolean
  readonly maxOutput: number | 'inf'
  readonly plan: () => Plan
}

/** Values for what a tool's parameters ask for. */
export function argumentsFor(parameters: unknown): string {
  return JSON.stringify(sample(parameters))
}

function sample(schema: unknown): unknown {
  const shape = schema as JsonObject | undefined
  if (Array.isArray(shape?.['enum'])) return shape['enum'][0]
  switch (shape?.['type']) {
    case 'string':
      return 'Oslo'
    case 'integer':
    case 'number':
      return 3
    case 'boolean':
      return true
    case 'array':
      return []
    default:
      return Object.fromEntries(
        Object.entries((shape?.['properties'] as JsonObject) ?? {}).map(([k, v]) => [k, sample(v)]),
      )
  }
}
