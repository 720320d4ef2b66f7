import { type ErrorCodeName, errorCodes, type Operation } from '#spec/tables'
import { failure, successExample, successSchema } from './envelope.ts'
import { failureReferences, failureText } from './failures.ts'
import type { JsonObject } from './interface.ts'
import type { Source } from './source.ts'

/** The answers of an operation, by HTTP status where section 7 states one. */
export function responses(operation: Operation, source: Source): JsonObject {
  const { error_codes } = operation
  const statuses = [...new Set(error_codes.map(statusOf))].filter((status) => status !== null)
  const elsewhere = error_codes.filter((name) => statusOf(name) === null)
  return {
    '2XX': success(operation, source),
    ...Object.fromEntries(
      statuses.map((status) => [status, failed(error_codes.filter((name) => statusOf(name) === status))]),
    ),
    default: failed(requestFirst(elsewhere)),
  }
}

/** No HTTP status is shown for a success, nor for most failures: an answer of class 2xx may be either. */
function success(operation: Operation, source: Source): JsonObject {
  return {
    description: `Code 0: success.${operation.response === null ? ' What data holds is not shown.' : ''} Any other code: a failure for which section 7 states no HTTP status.`,
    content: {
      'application/json': {
        schema: { oneOf: [successSchema(operation, source), failure] },
        examples: { success: successExample(operation, source) },
      },
    },
  }
}

function failed(names: readonly ErrorCodeName[]): JsonObject {
  const retries = names.filter((name) => errorCodes[name].retry_after === true)
  const headers = retries.length === 0 ? {} : { headers: retryAfter(retries, names) }
  return {
    description: `A failure.\n\n${failureText(names)}`,
    ...headers,
    content: { 'application/json': { schema: failure, examples: failureReferences(names) } },
  }
}

function retryAfter(retries: readonly ErrorCodeName[], names: readonly ErrorCodeName[]): JsonObject {
  return {
    'Retry-After': {
      description: `Comes with ${retries.join(', ')}: back off exponentially and honour it.`,
      required: retries.length === names.length,
      schema: { type: 'string' },
      example: '1',
    },
  }
}

/** Mocks answer what they find wrong with the first example: rather one about the request than one about the key. */
function requestFirst(names: readonly ErrorCodeName[]): readonly ErrorCodeName[] {
  const ofKey = (name: ErrorCodeName): boolean => errorCodes[name].sections.includes('5')
  return [...names.filter((name) => !ofKey(name)), ...names.filter(ofKey)]
}

function statusOf(name: ErrorCodeName): number | null {
  return errorCodes[name].http_status
}
