import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Unfiled } from './labelled.ts'
import { Traces } from './traces.ts'
import { newFolder } from '../../new-folder.ts'

let folder = ''
beforeEach(() => {
  folder = newFolder()
  mkdirSync(join(folder, 'legal'))
})

const label: Unfiled = {
  verdict: 'legal',
  requirement: 'errors.code',
  section: '7',
  says: 'a code',
  server: 'full server',
  told: 'nothing',
  why: 'it keeps it',
}

const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

test('nothing is written, and nothing taken away, before all traces are there', () => {
  writeFileSync(join(folder, 'legal/old.full.ndjson'), 'old')
  const traces = new Traces()
  traces.keep({ file: traces.fileOf(label), ...label }, '{}\n')
  expect(readdirSync(folder, { recursive: true })).toEqual(['legal', 'legal/old.full.ndjson'])
  traces.write(folder)
  expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual([
    'labels.json',
    'legal',
    'legal/errors.code.full.ndjson',
  ])
  expect(JSON.parse(read('labels.json'))).toEqual({ traces: [{ file: 'legal/errors.code.full.ndjson', ...label }] })
})

test('a trace that came to nothing leaves its number free, so that the next one does not take the place of another', () => {
  const traces = new Traces()
  const files = [traces.fileOf(label), traces.fileOf(label), traces.fileOf({ ...label, server: 'minimal server' })]
  expect(files).toEqual([
    'legal/errors.code.full.ndjson',
    'legal/errors.code.full-2.ndjson',
    'legal/errors.code.minimal.ndjson',
  ])
})

test('what tells the same stays as it is, and what was not made anew as well; what tells something else is replaced', () => {
  const [same, other, kept] = [1, 2, 3].map((count) => `legal/errors.code.full${count === 1 ? '' : `-${count}`}.ndjson`)
  const before = { [same ?? '']: '{"t":1}', [other ?? '']: '{"kind":"wait"}', [kept ?? '']: 'as it was' }
  for (const [file, text] of Object.entries(before)) writeFileSync(join(folder, file), text)
  const traces = new Traces()
  traces.keep({ file: traces.fileOf(label), ...label }, '{"t":2}')
  traces.keep({ file: traces.fileOf(label), ...label }, '{"kind":"mark"}')
  traces.keep({ file: traces.fileOf(label), ...label })
  traces.write(folder)
  expect([same, other, kept].map((file) => read(file ?? ''))).toEqual(['{"t":1}', '{"kind":"mark"}', 'as it was'])
})
