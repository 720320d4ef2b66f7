import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOutFolder } from './out-folder.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

test('an earlier run is cleared away, other files stay', () => {
  const out = join(folder, 'earlier')
  openOutFolder(out).release()
  for (const name of ['trace.ndjson', 'results.json', 'mine.txt']) writeFileSync(join(out, name), 'x')
  openOutFolder(out).release()
  expect(['trace.ndjson', 'results.json', 'mine.txt'].map((name) => existsSync(join(out, name)))).toEqual([
    false,
    false,
    true,
  ])
})

test('a folder is held until it is released, also when the holder died', () => {
  const out = join(folder, 'held')
  const held = openOutFolder(out)
  expect(() => openOutFolder(out)).toThrow(`--out ${out} belongs to a run that is still going on; give another folder`)
  held.release()
  writeFileSync(join(out, '.running'), '{"pid":1,"start":"another boot:1"}')
  openOutFolder(out).release()
})

test('a folder that cannot be made is a wrong use', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => openOutFolder(join(file, 'out'))).toThrow(/^--out .* cannot be written: a part of its path is a file$/)
})

test.runIf(process.platform === 'linux')('a file system that takes no folders is a wrong use', () => {
  expect(() => openOutFolder('/proc/greenroom/out')).toThrow(/^--out \/proc\/greenroom\/out cannot be written: /)
})
