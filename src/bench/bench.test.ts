import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'

const run = (file: string, ...words: string[]) =>
  spawnSync(process.execPath, [join(packageRoot(), 'src/bench', file), ...words], { encoding: 'utf8' })

test('a measurement that there is not gets a line with those that there are', () => {
  const { status, stderr } = run('bench.ts', 'nonsense')
  expect(status).toBe(2)
  expect(stderr).toMatch(/^No measurement is named 'nonsense': .*diff, gate-kills, .*watch-variations\n$/)
})

test('a measurement is reached by its name, with its own words', () => {
  expect(run('bench.ts', 'diff', '--help').stdout).toBe('npm run bench -- diff [pairs of runs]\n')
  expect(run('bench.ts', '--help').stdout).toBe('npm run bench [-- --full]\n')
})

test('each measurement that bench names says how it is called', () => {
  const text = readFileSync(join(packageRoot(), 'src/bench/bench.ts'), 'utf8')
  const named = [...text.matchAll(/\['([a-z-]+)', '([a-z/-]+\.ts)'\]/g)]
  expect(named.length).toBeGreaterThan(5)
  for (const [, name, file] of named) {
    expect(readFileSync(join(packageRoot(), 'src/bench', file ?? ''), 'utf8')).toContain(`npm run bench -- ${name}`)
  }
})
