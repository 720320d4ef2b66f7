import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { schemaFiles, schemaId } from './schemas.ts'
import { clientEventShape, createAjv, serverEventShape, validate } from './validators.ts'
import { validateClientEvent, validateServerEvent } from './validators.ts'

test.each([...schemaFiles()])(
  '%s is a JSON Schema, is called after its file and compiles strictly',
  (shape, schema) => {
    const ajv = new Ajv2020({ strict: false })
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toBe(schemaId(shape))
    expect(schema['description']).toMatch(/\S/)
    expect(createAjv().getSchema(schema.$id)).toBeTypeOf('function')
  },
)

test('titles, which become names of types, are unique', () => {
  const titles = [...schemaFiles().values()].map((schema) => schema.title)
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
})

test('an event is judged by the shape that its type names', () => {
  expect(serverEventShape('response.done')).toBe('server-events/response.done')
  expect(clientEventShape('response.create')).toBe('client-events/response.create')
  expect(validateServerEvent({ event_id: 'e', type: 'session.closed' })).toHaveLength(2)
  expect(validateClientEvent({ type: 'conversation.item.delete' })).toHaveLength(1)
})

test('an event of a type that we do not know needs only what all events carry', () => {
  expect([serverEventShape('avatar.gesture'), clientEventShape('toString')]).toEqual([
    'common/server-event',
    'common/client-event',
  ])
  expect(validateServerEvent({ event_id: 'e', type: 'avatar.gesture' })).toEqual([])
  expect(validateServerEvent({ type: 'avatar.gesture' })).toMatchObject([{ pointer: '', property: 'event_id' }])
})

test.each([null, 'text', 5, [], {}])('%j is no event', (value) => {
  expect(validateServerEvent(value).length).toBeGreaterThan(0)
})

test('all faults are told at once, and a missing discriminator blames nothing else', () => {
  const item = { id: 5, status: 'done' }
  const errors = validate('server-events/conversation.item.retrieved', {
    event_id: 'e',
    type: 'conversation.item.retrieved',
    item,
  })
  expect(errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
    '/item required',
    '/item/id type',
    '/item/status enum',
  ])
})

test('a shape that does not exist is an error of ours', () => {
  expect(() => validate('common/unheard-of' as 'common/integer', 1)).toThrow('There is no shape common/unheard-of')
})
