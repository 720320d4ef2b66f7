import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fakeShell } from '../testing/fake-shell.ts'
import type { Matrix } from './matrix.ts'
import { prove } from './prove.ts'
import { WHOLE_RUN_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'

let out = ''
beforeEach(() => {
  out = newFolder()
})

const narrow = { seed: 1, pairs: 0, bundles: 0, instant: false, finds: true, threads: 2 }

test('a narrow proof runs what it names over its threads, and writes the matrix', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const shell = fakeShell()
  const only = ['authentication.missing-key.', 'world-gone-at-once']
  expect(await prove({ ...narrow, only, out }, shell)).toBe(0)
  const { defects, variations } = JSON.parse(readFileSync(join(out, 'proof.json'), 'utf8')) as Matrix
  expect(defects.length).toBeGreaterThan(4)
  expect(defects.map(({ red, requirement = '' }) => red.includes(requirement))).not.toContain(false)
  expect(variations.map(({ id, conformant }) => [id, conformant])).toEqual([['world-gone-at-once', true]])
  expect(readFileSync(join(out, 'proof.md'), 'utf8')).toContain('- world-gone-at-once: conformant')
  expect(shell.stdout()).toContain(`${defects.length} of ${defects.length} defects killed`)
})

test('what names nothing is wrong usage', async () => {
  await expect(prove({ ...narrow, only: ['no-such-defect'], out }, fakeShell())).rejects.toThrow('no-such-defect')
})

test('an interrupt ends it without a proof', { timeout: WHOLE_RUN_MS }, async () => {
  const shell = fakeShell()
  shell.interrupt()
  expect(await prove({ ...narrow, only: ['authentication.missing-key.'], out }, shell)).toBe(130)
  expect(existsSync(join(out, 'proof.json'))).toBe(false)
})
