import { expect, test } from 'vitest'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { fakeShell } from '../fake-shell.ts'
import { runProgram } from '../program.ts'

test.each([...scenarios.keys(), 'mix'])('%s is explained by its page', async (name) => {
  const shell = fakeShell()
  expect(await runProgram(['load', 'explain', name], shell)).toBe(0)
  expect(shell.stdout()).toContain(`## ${name}\n`)
})
