import type { Operation, QueryShape } from '#spec/tables'
import { validate } from '#spec/validators'
import { exampleOf } from './examples.ts'
import type { JsonObject } from './interface.ts'
import type { Source } from './source.ts'

/** 4.3: the file's types; nothing else is uploaded. */
const audioTypes = ['audio/wav', 'audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/ogg', 'audio/webm']

/** Path and query parameters of an operation. */
export function parameters({ path, query }: Operation, source: Source): readonly JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return query === undefined ? inPath : [...inPath, ...inQuery(query, source)]
}

/** A shape's properties, each a parameter. */
function inQuery(query: QueryShape, { components }: Source): readonly JsonObject[] {
  const { properties = {}, required = [] } = components.inline(query) as QuerySchema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

interface QuerySchema {
  readonly properties?: JsonObject
  readonly required?: readonly string[]
}

/** The body of a request, as a field of its operation; none where there is none. */
export function requestBody(operation: Operation, source: Source): JsonObject {
  switch (operation.body) {
    case 'none':
      return {}
    case 'json':
      return { requestBody: json(operation, source) }
    case 'multipart':
      return { requestBody: multipart }
    case 'not shown':
      return { requestBody: { description: 'Not shown.', content: { 'application/json': { schema: {} } } } }
  }
}

/** Required where nothing at all would not do. */
function json({ request }: Operation, { components, exhibits }: Source): JsonObject {
  if (request === null) return { content: { 'application/json': { schema: {} } } }
  return {
    required: validate(request, {}).length > 0,
    content: {
      'application/json': { schema: components.refer(request), examples: { valid: exampleOf(request, exhibits) } },
    },
  }
}

const multipart = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
      encoding: { file: { contentType: audioTypes.join(', ') } },
    },
  },
}
