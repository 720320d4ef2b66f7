import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'
import { newFolder } from '#testing/new-folder'

/** No system has a process of this number. */
const nobody = { pid: 2 ** 30 }

test('where the authority of a dead run is gone, cleanup says so and names the journal to delete', async () => {
  const state = newFolder()
  const journal = join(state, 'greenroom', 'r1.journal')
  mkdirSync(join(state, 'greenroom'))
  const ca_file = join(state, 'gone.pem')
  const begin = { kind: 'begin', process: nobody, run: 'r1', base_url: 'https://127.0.0.1:1', ca_file }
  const intent = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' }
  const lines = [
    { ...begin, keys: { primary: 'GR_KEY' } },
    { kind: 'intend', create: 'c1', ...intent },
  ]
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const shell = fakeShell({ XDG_STATE_HOME: state, GR_KEY: 'a-key' })
  expect(await runProgram(['cleanup'], shell)).toBe(3)
  expect(shell.stdout()).toBe(
    `run r1 at https://127.0.0.1:1: nothing could be closed (ca_file ${ca_file} cannot be read: there is no such file or folder); put it back, or delete the journal ${journal} if nothing of that run can be left\n`,
  )
})

test('a journal that is not there is said, and what only begins with its name is left alone', async () => {
  const state = newFolder()
  const named = join(state, 'run')
  mkdirSync(join(state, 'runs'))
  const shell = fakeShell({ XDG_STATE_HOME: state })
  expect(await runProgram(['cleanup', '--journal', named], shell)).toBe(0)
  expect(shell.stdout()).toBe(`There is no journal ${named}.\nNothing is left open by earlier runs.\n`)
})
