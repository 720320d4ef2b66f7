import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharesVitest } from './one-vitest.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenroom-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Puts an empty package where npm would. */
function install(name: string, under: string): void {
  const place = join(folder, under, 'node_modules', name)
  mkdirSync(place, { recursive: true })
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name, exports: { './*': './*', './reporter': './r.js' } }),
  )
  writeFileSync(join(place, 'r.js'), '')
}

test('here allure-vitest reports to our vitest', () => {
  expect(sharesVitest()).toBe(true)
})

test('an allure-vitest beside the vitest of somebody else is seen', () => {
  install('allure-vitest', '.')
  install('vitest', '.')
  const ours = join(folder, 'node_modules', 'greenroom')
  mkdirSync(ours)
  expect(sharesVitest(join(ours, 'x.js'))).toBe(true)
  install('vitest', join('node_modules', 'greenroom'))
  expect(sharesVitest(join(ours, 'x.js'))).toBe(false)
})
