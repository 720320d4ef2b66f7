import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LineReader } from './line-reader.ts'

test('a reader that is closed twice leaves the file alone that has its number by then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-line-reader-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
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
