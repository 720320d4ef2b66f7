import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { findK6, findOrBuildK6 } from './binary.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

function fakeK6(version: string): string {
  const path = join(folder, 'k6')
  writeFileSync(path, `#!${process.execPath}\nconsole.log(${JSON.stringify(version)})\n`)
  chmodSync(path, 0o755)
  return path
}

test('K6_BIN comes first', () => {
  const path = fakeK6('k6 v2.7.1 (go1.26.8, linux/amd64)')
  expect(findK6({ K6_BIN: path })).toEqual({ path, version: 'v2.7.1' })
})

test.each([
  ['k6 v1.8.1 (go1.25.0, linux/amd64)', 'K6_BIN is k6 v1.8.1, which is too old: v2 is needed'],
  ['k6 v3.0.0 (go1.28.0, linux/amd64)', 'K6_BIN is k6 v3.0.0, which is too new: v2 is needed'],
  ['no k6 at all', 'K6_BIN is no k6 v2'],
])('a K6_BIN that says "%s" is refused', (says, why) => {
  const found = findOrBuildK6(() => undefined, { K6_BIN: fakeK6(says) })
  expect(found).toMatchObject({ buildFailed: false, why: expect.stringContaining(why) })
})

test('a K6_BIN that says nothing is not waited for long', () => {
  const path = fakeK6('')
  writeFileSync(path, `#!${process.execPath}\nsetTimeout(() => {}, 60_000)\n`)
  const began = performance.now()
  expect(findK6({ K6_BIN: path })).toMatchObject({
    why: expect.stringContaining('K6_BIN was asked for its version and said nothing for 10 s'),
  })
  expect(performance.now() - began).toBeLessThan(25_000)
})

test('the sums of everything that k6 is built from are pinned', () => {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'load/k6', name), 'utf8')
  const sums = read('go.sum')
  const required = [...read('go.mod').matchAll(/^\s+(\S+) (v\S+)(?: \/\/ indirect)?$/gm)]
  expect(required.length).toBeGreaterThan(50)
  expect(required.filter(([, path, version]) => !sums.includes(`${path} ${version}/go.mod h1:`))).toEqual([])
})
