import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { foreign } from './foreign.rules.ts'

const path = '/v1/characters/chr_1'
const row = 'characters.scope.other-workspace-get-rejected'

const success = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
const refusal = (data: Json) => ({
  status: 404,
  body: { code: 20005, message: 'not found', data },
})

/** A character of one workspace, and what another one is told of it. */
function asked(
  shown: Json,
  { name = 'Ada the First', key = 'other_workspace', header = {}, more = {} } = {},
): TraceBuilder {
  const trace = new TraceBuilder(header)
  const data = { character_id: 'chr_1', name, model: 'svc-a1-stream', ...more }
  trace.rest('create-character', success(data), { name })
  trace.rest(
    'create-character',
    success({
      character_id: 'chr_2',
      name: 'Another one',
      model: 'svc-a1-stream',
    }),
  )
  trace.rest('replace-character', success({ character_id: 'chr_1', name: 'Ada the Second' }), {}, 'primary', path)
  trace.rest('get-character', refusal(shown), {}, key, path)
  return trace
}

const said = (trace: TraceBuilder) => [...saidOf([foreign], trace)]

test('a refusal that carries what the owner was told hands it over', () => {
  expect(said(asked({ name: 'Ada the First' }))).toEqual([`broken ${row}`])
  expect(said(asked({ was: [{ title: 'Ada the Second' }] }))).toEqual([`broken ${row}`])
})

test('so does one that tells it within a sentence, unless it is so short that the words may be its own', () => {
  const name = 'Ada the First of Many'
  expect(said(asked({ hint: `"${name}" belongs to somebody else` }, { name }))).toEqual([`broken ${row}`])
  expect(said(asked({ hint: '"Ada the First" belongs to somebody else' }))).toEqual([])
})

test('a sentence may name what was asked for', () => {
  const more = { self: path }
  expect(said(asked({ hint: `nothing is at ${path}` }, { more }))).toEqual([])
})

test('a refusal may repeat the id, and what it says of its own', () => {
  expect(said(asked({}))).toEqual([])
  expect(
    said(
      asked({
        character_id: 'chr_1',
        hint: 'see the console',
        at: '2026-01-01T00:00:00Z',
      }),
    ),
  ).toEqual([])
})

test('what is told of several things, and short words, give nothing away', () => {
  expect(said(asked({ models: ['svc-a1-stream'] }))).toEqual([])
  expect(said(asked({ status: 'active' }, { name: 'active' }))).toEqual([])
})

test('a refusal may name what was asked for', () => {
  const more = { self: path, link: `https://api.example${path}` }
  expect(said(asked({ path, instance: `https://api.example${path}` }, { more }))).toEqual([])
})

test.each(['1764440405', '1764440405123', 'Sun, 29 Nov 2026 18:20:05 GMT', '2026-11-29 18:20:05'])(
  'the time %s may be that of the refusal',
  (now) => {
    expect(said(asked({ server_time: now }, { more: { server_time: now } }))).toEqual([])
  },
)

test('whose workspace a key is of that lacks something is not known', () => {
  expect(said(asked({ name: 'Ada the First' }, { key: 'access_denied' }))).toEqual([])
})

test('another key of the workspace may be told everything', () => {
  expect(said(asked({ name: 'Ada the First' }, { key: 'same_workspace' }))).toEqual([])
})

test('in a recording nobody knows whose keys share a workspace', () => {
  expect(said(asked({ name: 'Ada the First' }, { header: { recording: 'watch' } }))).toEqual([])
})
