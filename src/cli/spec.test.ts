import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'
import { newFolder } from '#testing/new-folder'

test.each([
  ['openapi', { openapi: '3.1.0', info: { version: '1.0.0' } }],
  ['asyncapi', { asyncapi: '3.0.0', info: { version: '1.0.0' } }],
])('spec %s prints the document, or writes it', async (name, start) => {
  const folder = newFolder()
  const printed = fakeShell()
  expect(await runProgram(['spec', name], printed)).toBe(0)
  expect(JSON.parse(printed.stdout())).toMatchObject(start)
  const written = fakeShell()
  const file = join(folder, 'document.json')
  expect(await runProgram(['spec', name, '--out', file], written)).toBe(0)
  expect(written.stdout()).toBe('')
  expect(readFileSync(file, 'utf8')).toBe(printed.stdout())
  const nowhere = runProgram(['spec', name, '--out', join(folder, 'no', 'document.json')], fakeShell())
  await expect(nowhere).rejects.toMatchObject({ exit: 2, message: expect.stringContaining('cannot be written') })
})
