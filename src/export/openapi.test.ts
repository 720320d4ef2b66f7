import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { formats } from '#spec/formats'
import { errorCodes, idsOf, operations } from '#spec/tables'
import { at, pointer, references } from '#testing/pointers'
import { openapi } from './openapi.ts'

const document = openapi()
const ajv = new Ajv2020({ strict: false, formats })
ajv.addSchema({ $id: 'https://greenroom.example/openapi', ...document })
const ids = idsOf(operations)

/** The place of an operation. */
const place = (id: (typeof ids)[number], ...further: readonly string[]): readonly string[] => {
  const { path, method } = operations[id]
  return ['paths', path, method.toLowerCase(), ...further]
}

/** Whether a schema of the document takes a value. */
const takes = (schema: readonly string[], value: unknown): boolean =>
  ajv.compile({ $ref: `https://greenroom.example/openapi#${pointer(schema)}` })(value)

/** The values of the examples that stand in a media type, references followed. */
function examples(mediaType: readonly string[]): readonly unknown[] {
  const found = Object.values((at(document, mediaType) as { examples?: object }).examples ?? {})
  return found.map((example: { $ref?: string; value?: unknown }) =>
    example.$ref === undefined ? example.value : at(document, [...example.$ref.split('/').slice(1), 'value']),
  )
}

test('the same schemas give the same document', () => {
  expect(JSON.stringify(openapi())).toBe(JSON.stringify(document))
})

test('it holds the operations of the table and no others', () => {
  const held = Object.entries(document.paths as object).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
  )
  const listed = ids.map((id) => `${id}: ${operations[id].method.toLowerCase()} ${operations[id].path}`)
  expect(new Set(held)).toEqual(new Set(listed))
  expect(held).toHaveLength(listed.length)
})

test('every reference leads somewhere in the document', () => {
  const lost = references(document).filter((found) => at(document, found.split('/').slice(1)) === undefined)
  expect(lost).toEqual([])
  expect(references(document).filter((found) => !found.startsWith('#/components/'))).toEqual([])
})

test.each(ids)('%s answers in the envelope, whatever the status', (id) => {
  const statuses = Object.keys(at(document, place(id, 'responses')) as object)
  const stated = operations[id].error_codes.map((name) => errorCodes[name].http_status).filter((one) => one !== null)
  expect(statuses).toEqual([...new Set(stated.map(String)), '2XX', 'default'])
  for (const status of statuses) {
    const schema = place(id, 'responses', status, 'content', 'application/json', 'schema')
    expect(takes(schema, { code: 30004, message: 'invalid argument', data: {} })).toBe(true)
    expect(takes(schema, { session_id: 's-1' })).toBe(false)
    expect(takes(schema, { code: 0, message: 'success' })).toBe(false)
  }
})

test.each(ids)('%s shows all its codes', (id) => {
  const shown = Object.keys(at(document, place(id, 'responses')) as object)
    .filter((status) => status !== '2XX')
    .flatMap((status) => examples(place(id, 'responses', status, 'content', 'application/json')))
  const codes = shown.map((example) => String((example as { code: number }).code))
  const listed = operations[id].error_codes.map((name) => String(errorCodes[name].code))
  expect(codes.toSorted()).toEqual(listed.toSorted())
})

test.each(ids)('%s has examples that are valid where they stand', (id) => {
  const answers = Object.keys(at(document, place(id, 'responses')) as object).map((status) =>
    place(id, 'responses', status, 'content', 'application/json'),
  )
  const request = operations[id].request === null ? [] : [place(id, 'requestBody', 'content', 'application/json')]
  for (const mediaType of [...answers, ...request]) {
    const values = examples(mediaType)
    expect(values).not.toEqual([])
    expect(values.filter((value) => !takes([...mediaType, 'schema'], value))).toEqual([])
  }
})

test('what is not shown stays open', () => {
  const open = ids.filter((id) => operations[id].response === null)
  expect(open).toEqual(expect.arrayContaining(['get-avatar-session', 'close-avatar-session', 'list-avatar-sessions']))
  for (const id of open) {
    const schema = place(id, 'responses', '2XX', 'content', 'application/json', 'schema')
    for (const data of [null, [], 'x', { anything: 1 }]) {
      expect(takes(schema, { code: 0, message: '', data })).toBe(true)
    }
  }
})

test('what is shown does not', () => {
  const schema = place('create-avatar-session', 'responses', '2XX', 'content', 'application/json', 'schema')
  expect(takes(schema, { code: 0, message: '', data: {} })).toBe(false)
  const body = place('create-avatar-session', 'requestBody', 'content', 'application/json', 'schema')
  expect(takes(body, { model: 'svc-a1-stream', avatars: [] })).toBe(false)
})

test('Retry-After stands where 10008 does, and nowhere else', () => {
  const header = ['429', 'headers', 'Retry-After']
  for (const id of ids) expect(at(document, place(id, 'responses', ...header))).toBeDefined()
  const required = ids.filter((id) => at(document, place(id, 'responses', ...header, 'required')) === true)
  expect(required).toContain('get-voice')
  expect(required).not.toContain('create-avatar-session')
  expect(at(document, place('clone-voice', 'responses', '502', 'headers'))).toBeUndefined()
})

test('path and query are described', () => {
  expect(at(document, place('close-world-session', 'parameters'))).toEqual([
    { name: 'session_id', in: 'path', required: true, schema: { type: 'string' } },
  ])
  expect(at(document, place('list-characters', 'parameters'))).toMatchObject([
    { name: 'page_size', in: 'query', required: false, schema: { maximum: 200, default: 50 } },
    { name: 'page_token', in: 'query', required: false, schema: { type: 'string' } },
  ])
  expect(at(document, place('create-avatar-session', 'parameters'))).toBeUndefined()
})

test('an upload is a multipart form with a file', () => {
  const form = at(document, place('upload-audio', 'requestBody', 'content', 'multipart/form-data'))
  expect(form).toMatchObject({ schema: { required: ['file'] }, encoding: { file: {} } })
})

test('a body is required where the interface requires something in it', () => {
  expect(at(document, place('create-avatar-session', 'requestBody', 'required'))).toBe(true)
  expect(at(document, place('close-avatar-session', 'requestBody', 'required'))).toBeUndefined()
  expect(at(document, place('get-voice', 'requestBody'))).toBeUndefined()
})
