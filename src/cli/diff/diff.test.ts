import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Verdict } from '#judge/results'
import { handMadeResults, row } from '#testing/hand-made-results'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

/** The folder of a run with one row. */
function run(name: string, verdict: Verdict): string {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'results.json'), JSON.stringify(handMadeResults([row('voices.a.b', verdict)])))
  return path
}

test('a new failure ends with 1, anything else with 0', async () => {
  const [good, bad] = [run('good', 'pass'), run('bad', 'fail')]
  const shell = fakeShell()
  expect(await runProgram(['diff', good, join(bad, 'results.json')], shell)).toBe(1)
  expect(shell.stdout()).toContain('New failures (1)')
  expect(await runProgram(['diff', bad, good], fakeShell())).toBe(0)
  expect(await runProgram(['diff', bad, bad], fakeShell())).toBe(0)
})

test('as JSON it has every list', async () => {
  const shell = fakeShell()
  await runProgram(['diff', run('good', 'pass'), run('bad', 'fail'), '--json'], shell)
  expect(JSON.parse(shell.stdout())).toMatchObject({ format: 'greenroom.diff/1', new_failures: [{ id: 'voices.a.b' }] })
})

test.for([
  ['a file that is not there', undefined, 'cannot be read'],
  ['what is not JSON', 'no', 'is not JSON'],
  ['half of results', '{"format":"greenroom.results/1","requirements":[]}', 'holds no whole results'],
  ['JSON of another kind', '{}', 'holds no results of this format'],
] as const)('%s is wrong usage', async ([, text, said]) => {
  const file = join(folder, 'odd.json')
  if (text !== undefined) writeFileSync(file, text)
  await expect(runProgram(['diff', file, file], fakeShell())).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(said),
  })
})
