import type { ErrorObject } from 'ajv/dist/2020.js'
import { at, type Json } from '#trace/json'

/** One way in which a value is not of its shape. */
export interface ShapeError {
  /** JSON Pointer (RFC 6901) to the place in the value; for a missing field, to the object that lacks it. */
  readonly pointer: string
  /** Name of the field that is missing there, or that has no business there. */
  readonly property?: string
  /** Keyword of the schema that refuses it. */
  readonly keyword: string
  readonly expected: string
  /** What stands there: its type, and its value where that can't be a secret. */
  readonly got: string
  readonly schema_path: string
  /** All of it in one line. */
  readonly message: string
}

/** Names whose text may be a secret, or may carry one (5.2: neither the secret nor the full URL is logged). */
const secretive = /(secret|token|sig|keys?|proxy|auth\w*|password|credentials?|urls?|endpoint|payload|audio|headers)$/i
const longest = 60

/** Turns one of ajv's errors into ours. `root` is the value that was validated. */
export function shapeError(error: ErrorObject, root: unknown): ShapeError {
  const pointer = error.instancePath
  const expected = expectation(error)
  const got = error.keyword === 'required' ? 'nothing' : describe(at(root as Json, pointer), pointer)
  const message = `${pointer || 'the value'}: expected ${expected}, got ${got}`
  const property: unknown = error.params['missingProperty'] ?? error.params['additionalProperty']
  const named = typeof property === 'string' ? { property } : {}
  return { pointer, ...named, keyword: error.keyword, expected, got, schema_path: error.schemaPath, message }
}

const wordings: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: (params) => `a field ${JSON.stringify(params['missingProperty'])}`,
  type: (params) => [params['type']].flat().join(' or '),
  enum: (params) => `one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`,
  const: (params) => JSON.stringify(params['allowedValue']),
  pattern: (params) => `text that matches ${params['pattern']}`,
  format: (params) => `a ${params['format']}`,
  additionalProperties: (params) => `no field ${JSON.stringify(params['additionalProperty'])}`,
  minimum: ({ limit }) => `a number of at least ${limit}`,
  exclusiveMinimum: ({ limit }) => `a number above ${limit}`,
  maximum: ({ limit }) => `a number of at most ${limit}`,
  exclusiveMaximum: ({ limit }) => `a number below ${limit}`,
  minProperties: ({ limit }) => `an object with ${limit} or more fields`,
  maxProperties: ({ limit }) => `an object with at most ${limit} fields`,
  minItems: ({ limit }) => `an array with ${limit} or more in it`,
  maxItems: ({ limit }) => `an array with at most ${limit} in it`,
  minLength: ({ limit }) => `a text of ${limit} or more characters`,
  maxLength: ({ limit }) => `a text of at most ${limit} characters`,
  'false schema': () => 'nothing here',
}

function expectation(error: ErrorObject): string {
  return wordings[error.keyword]?.(error.params) ?? (error.message ?? error.keyword).replace(/^must /, 'it to ')
}

function describe(value: unknown, pointer: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'nothing'
  if (pointer === '' || pointer.split('/').some((name) => secretive.test(name)))
    return `a text of ${value.length} characters, which is not shown`
  return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
}
