import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { exhibits } from '#spec/exhibits'
import { formats } from '#spec/formats'
import type { ShapeName } from '#spec/schemas'
import { clientEvents, idsOf, serverEvents } from '#spec/tables'
import { at, references } from '#testing/pointers'
import { asyncapi } from './asyncapi.ts'

const document = asyncapi()
const id = 'https://greenroom.example/asyncapi'
/** AsyncAPI reads schemas without a dialect as a superset of draft 7. */
const dialects = { 'draft 7': new Ajv({ strict: false, formats }), '2020-12': new Ajv2020({ strict: false, formats }) }
for (const ajv of Object.values(dialects)) ajv.addSchema({ $id: id, ...document })

const shapes: readonly (readonly [string, ShapeName])[] = [
  ...idsOf(clientEvents).map((type) => [type, `client-events/${type}`] as const),
  ...idsOf(serverEvents).map((type) => [type, `server-events/${type}`] as const),
]

test('the same schemas give the same document', () => {
  expect(JSON.stringify(asyncapi())).toBe(JSON.stringify(document))
})

test('every reference leads somewhere in the document', () => {
  const lost = references(document).filter((found) => at(document, found.split('/').slice(1)) === undefined)
  expect(lost).toEqual([])
})

test('the channel has a message for each event of the tables, and no others', () => {
  const types = shapes.map(([type]) => type)
  expect(Object.keys(at(document, ['channels', 'control', 'messages']) as object)).toEqual(types)
  expect(Object.keys(at(document, ['components', 'messages']) as object)).toEqual(types)
})

test('the service receives client events, answers them with what confirms them, and sends server events', () => {
  const message = (type: string) => ({ $ref: `#/channels/control/messages/${type}` })
  const operations = at(document, ['operations']) as { readonly [name: string]: object }
  expect(Object.keys(operations)).toHaveLength(shapes.length)
  for (const type of idsOf(clientEvents)) {
    const { confirmed_by } = clientEvents[type]
    const operation = operations[`receive.${type}`]
    expect(operation).toMatchObject({ action: 'receive', messages: [message(type)] })
    const messages = confirmed_by.length === 0 ? undefined : confirmed_by.map(message)
    expect(at(operation, ['reply', 'messages'])).toEqual(messages)
  }
  for (const type of idsOf(serverEvents)) {
    expect(operations[`send.${type}`]).toMatchObject({ action: 'send', messages: [message(type)] })
  }
})

test.each(shapes)('%s takes the exhibits of its shape in both dialects, and refuses the others', (type, shape) => {
  const { $ref } = at(document, ['components', 'messages', type, 'payload']) as { readonly $ref: string }
  for (const ajv of Object.values(dialects)) {
    const check = ajv.compile({ $ref: `${id}${$ref}` })
    const wrong = exhibits()
      .get(shape)
      ?.tests.filter(({ data, valid }) => check(data) !== valid)
    expect(wrong).toEqual([])
  }
})

test.each(shapes)('%s has an example that is valid where it stands', (type) => {
  const { $ref } = at(document, ['components', 'messages', type, 'payload']) as { readonly $ref: string }
  const examples = at(document, ['components', 'messages', type, 'examples']) as readonly {
    readonly payload: unknown
  }[]
  expect(examples).toHaveLength(1)
  const check = dialects['draft 7'].compile({ $ref: `${id}${$ref}` })
  for (const { payload } of examples) expect(check(payload)).toBe(true)
})
