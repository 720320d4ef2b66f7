import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { K6Line } from '#load/k6/lines'
import { beginJournal, type Journal } from '#scenario/journal/journal'
import { readJournal } from '#scenario/journal/journal-state'
import { LoadJournal } from './load-journal.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
let journal: Journal
let load: LoadJournal

beforeEach(() => {
  folder = newFolder()
  journal = beginJournal(join(folder, 'run.journal'), {
    run: 'r1',
    base_url: 'https://127.0.0.1',
    keys: { primary: 'GR_KEY' },
  })
  load = new LoadJournal(journal)
})

afterEach(() => {
  journal.close()
})

const asked = (create: string): K6Line => ({
  kind: 'create',
  create,
  intent: {
    resource: 'avatar-session',
    operation: 'create-avatar-session',
    key: 'primary',
    idempotency_key: 'r1-1',
    body: { model: 'm', idempotency_key: 'r1-1' },
  },
})

const state = () => readJournal(journal.file)

test('a session that was opened and not closed is open in the journal', () => {
  load.take(asked('a'))
  load.take({ kind: 'created', create: 'a', id: 's1' })
  expect(state()?.open).toEqual([{ resource: 'avatar-session', id: 's1', key: 'primary' }])
  load.take({ kind: 'ended', resource: 'avatar-session', id: 's1' })
  expect(state()).toMatchObject({ open: [], lost: [] })
})

test('a create without an answer is known with all that it takes to ask again', () => {
  load.take(asked('a'))
  expect(state()?.lost).toMatchObject([{ idempotency_key: 'r1-1', body: { model: 'm' }, key: 'primary' }])
})

test('a create that was lost and asked for again is one session', () => {
  load.take(asked('a'))
  load.take(asked('b'))
  load.take({ kind: 'created', create: 'b', id: 's1' })
  expect(state()).toMatchObject({ open: [{ id: 's1' }], lost: [] })
})

test('a refused create left nothing behind', () => {
  load.take(asked('a'))
  load.take({ kind: 'none', create: 'a' })
  expect(state()).toMatchObject({ open: [], lost: [] })
})

test('sessions that nobody spoke of are looked for with each key', () => {
  load.begin(['primary'])
  expect(state()?.doubts).toMatchObject([{ resource: 'avatar-session', key: 'primary' }])
})

test('creates with one key that are all without an answer are one thing that may be there', () => {
  for (const create of ['a', 'b', 'c']) load.take(asked(create))
  load.take({ kind: 'none', create: 'b' })
  expect(state()?.lost).toHaveLength(1)
})

test('a create whose tries were all refused left nothing behind', () => {
  for (const create of ['a', 'b']) load.take(asked(create))
  for (const create of ['a', 'b']) load.take({ kind: 'none', create })
  expect(state()).toMatchObject({ open: [], lost: [] })
})

test('a session that was opened stays so when an earlier try of its create is refused', () => {
  for (const create of ['a', 'b']) load.take(asked(create))
  load.take({ kind: 'created', create: 'b', id: 's1' })
  load.take({ kind: 'none', create: 'a' })
  load.take({ kind: 'created', create: 'a', id: 's1' })
  expect(state()).toMatchObject({ open: [{ id: 's1' }], lost: [] })
})
