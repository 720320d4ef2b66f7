import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from './package-root.ts'
import { keyNames } from './profile.ts'
import { schemaFiles } from './schemas.ts'
import {
  abilities,
  clientEvents,
  errorCodeNames,
  errorCodes,
  idsOf,
  isOperationId,
  limits,
  operations,
} from './tables.ts'
import { serverEvents } from './tables.ts'
import { validate } from './validators.ts'

const tables = ['abilities', 'client-events', 'error-codes', 'limits', 'operations', 'server-events'] as const
const shapes = [...schemaFiles().keys()]

function shapesIn(room: string): string[] {
  return shapes.filter((shape) => shape.startsWith(`${room}/`)).map((shape) => shape.slice(room.length + 1))
}

/** Names that a meta shape knows at a path: the keys of `properties`, or the members of an `enum`. */
function known(shape: 'meta/profile' | 'meta/requirements' | 'meta/abilities', ...path: string[]): readonly string[] {
  const place = path.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], schemaFiles().get(shape))
  return Array.isArray(place) ? place : Object.keys(place as object)
}

test.each(tables)('%s.json has the shape that meta gives it', (table) => {
  const content: unknown = JSON.parse(readFileSync(join(packageRoot(), `schemas/${table}.json`), 'utf8'))
  expect(validate(`meta/${table}`, content)).toEqual([])
})

test('the tables have as many rows as the spec', () => {
  expect(idsOf(operations)).toHaveLength(18)
  expect(idsOf(clientEvents)).toHaveLength(8)
  expect(idsOf(serverEvents)).toHaveLength(22)
  expect(idsOf(errorCodes)).toHaveLength(23)
})

test('each event has one shape and each shape one event', () => {
  expect(shapesIn('client-events')).toEqual([...idsOf(clientEvents)].toSorted())
  expect(shapesIn('server-events')).toEqual([...idsOf(serverEvents)].toSorted())
})

test('each REST shape is named by one operation, after which it is called', () => {
  const named = idsOf(operations).flatMap((id) => {
    const { request, query, response } = operations[id]
    expect([null, `rest/${id}.request`]).toContain(request)
    expect([null, `rest/${id}.response`]).toContain(response)
    expect([undefined, `rest/${id}.query`]).toContain(query)
    return [request, query ?? null, response].filter((shape) => shape !== null)
  })
  expect(named.toSorted()).toEqual(shapesIn('rest').map((shape) => `rest/${shape}`))
})

test('an avatar session operation lacks a response shape only where the spec shows no payload', () => {
  const avatarSessions = idsOf(operations).filter((id) => operations[id].section === '4.1')
  const shapeless = avatarSessions.filter((id) => operations[id].response === null)
  expect(shapeless).toEqual(['get-avatar-session', 'close-avatar-session', 'list-avatar-sessions'])
})

test('operations differ in method or path, and only those with a JSON body have a request shape', () => {
  const rows = Object.values(operations)
  expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(rows.length)
  expect(rows.filter(({ body, request }) => body !== 'json' && request !== null)).toEqual([])
})

test('every operation names codes of the table, and every code is named', () => {
  const named = new Set(Object.values(operations).flatMap((row) => row.error_codes))
  expect([...named].toSorted()).toEqual([...idsOf(errorCodes)].toSorted())
})

test('a code is the number in front of its name', () => {
  for (const name of idsOf(errorCodes)) expect(errorCodes[name].code).toBe(Number(name.slice(0, 5)))
  expect(errorCodeNames(30004)).toEqual(['30004 invalid argument', '30004 idempotency conflict'])
  expect(errorCodeNames(12345)).toEqual([])
})

test('client events are confirmed by server events', () => {
  const confirmations = Object.values(clientEvents).flatMap((row) => row.confirmed_by)
  expect(confirmations.filter((type) => !(type in serverEvents))).toEqual([])
})

test('names that come from outside are looked up among own names only', () => {
  expect(isOperationId('create-avatar-session')).toBe(true)
  expect([isOperationId('toString'), isOperationId('__proto__'), isOperationId(1)]).toEqual([false, false, false])
})

test('limits that the spec does not show are null', () => {
  expect(limits.concurrent_sessions.maximum).toBeNull()
  expect(limits['auto_close.disconnected_timeout_seconds']).toMatchObject({ off: 0, minimum: 10, maximum: 3600 })
})

test('profile and register know the same keys and abilities', () => {
  expect(known('meta/profile', 'properties', 'keys', 'properties')).toEqual(keyNames)
  expect(known('meta/profile', 'properties', 'limits', 'properties')).toEqual(keyNames)
  expect(['primary', ...known('meta/requirements', '$defs', 'further_key', 'enum')]).toEqual(keyNames)
  expect(known('meta/profile', 'properties', 'abilities', 'properties')).toEqual(Object.keys(abilities))
  expect(known('meta/abilities', '$defs', 'name', 'enum')).toEqual(Object.keys(abilities))
})
