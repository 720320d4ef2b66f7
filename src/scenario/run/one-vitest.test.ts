import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharesVitest } from './one-vitest.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

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
