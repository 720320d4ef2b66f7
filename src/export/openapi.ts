import { idsOf, type Operation, type OperationId, operations } from '#spec/tables'
import { failureName, failureSchema } from './envelope.ts'
import { failureExamples } from './failures.ts'
import { license, type JsonObject, title, version } from './interface.ts'
import { parameters, requestBody } from './request.ts'
import { responses } from './responses.ts'
import { openSource, type Source } from './source.ts'

/** The REST half of the interface as an OpenAPI 3.1 document; the same for the same schemas. */
export function openapi(): JsonObject {
  const source = openSource()
  const paths = pathsOf(source)
  const failed = { [failureName]: failureSchema(source) }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary: 'The REST operations.',
      description:
        'Every answer is wrapped as `{code, message, data}`: code 0 is a success, any other a failure. New fields may appear in answers, and clients ignore those that they do not know.',
      license,
    },
    servers: [
      { url: '{base_url}', variables: { base_url: { default: 'https://svc.example', description: 'Base address.' } } },
    ],
    security: [{ api_key: [] }],
    tags: Object.values(groups),
    paths,
    components: {
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: 'Section 5: the API key of a workspace. It stays on the server.',
        },
      },
      examples: failureExamples(),
      schemas: { ...source.components.schemas(), ...failed },
    },
  }
}

/** The subsections of section 4 that hold operations. */
const groups: { readonly [section: string]: { readonly name: string; readonly description: string } } = {
  '4.1': { name: 'Avatar sessions', description: 'Section 4.1.' },
  '4.2': { name: 'Characters', description: 'Section 4.2: saved session configurations.' },
  '4.3': { name: 'Audio files and voices', description: 'Section 4.3.' },
  '4.5': { name: 'World sessions', description: 'Section 4.5: continuous generation.' },
}

function pathsOf(source: Source): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const id of idsOf(operations)) {
    const { path, method } = operations[id]
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(id, operations[id], source) }
  }
  return paths
}

function described(id: OperationId, operation: Operation, source: Source): JsonObject {
  const { section, title: summary } = operation
  const listed = parameters(operation, source)
  return {
    operationId: id,
    tags: [groups[section]?.name],
    summary,
    description: `Section ${section}.`,
    ...(listed.length === 0 ? {} : { parameters: listed }),
    ...requestBody(operation, source),
    responses: responses(operation, source),
  }
}
