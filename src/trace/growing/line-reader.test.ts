import { closeSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LineReader } from './line-reader.ts'
import { newFolder } from '#testing/new-folder'

test('a reader that is closed twice leaves the file alone that has its number by then', () => {
  const folder = newFolder()
  const file = join(folder, 'trace.ndjson')
  writeFileSync(file, '')
  const reader = new LineReader(file)
  reader.close()
  const other = openSync(file, 'r')
  reader.close()
  expect(() => fstatSync(other)).not.toThrow()
  closeSync(other)
  expect(() => [...reader.more()]).toThrow('the trace is closed')
})
