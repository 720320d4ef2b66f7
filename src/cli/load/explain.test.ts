import { expect, test } from 'vitest'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'

test('the list says which scenarios take minutes, and why', async () => {
  const shell = fakeShell()
  expect(await runProgram(['load', 'list'], shell)).toBe(0)
  expect(shell.stdout()).toMatch(/^ {2}rate-limit .+\n +Four to six minutes, .+: two minutes of silence/m)
  const json = fakeShell()
  await runProgram(['load', 'list', '--json'], json)
  const { scenarios: listed } = JSON.parse(json.stdout())
  // Whatever does not go by the schedule of the workload tells how long it takes.
  expect(listed.filter(({ lasts }: { lasts?: string }) => lasts !== undefined)).toHaveLength(3)
  const apart = [...scenarios.values()].filter(({ alone }) => alone !== undefined)
  expect(apart.every(({ lasts }) => lasts !== undefined)).toBe(true)
})

test.each([...scenarios.keys(), 'mix'])('%s is explained by its page', async (name) => {
  const shell = fakeShell()
  expect(await runProgram(['load', 'explain', name], shell)).toBe(0)
  expect(shell.stdout()).toContain(`## ${name}\n`)
})

test('a command is not taken for a scenario, nor for a slip of its own name', async () => {
  const message = '"knee" is a command, no scenario; see "npx greenroom load knee --help"'
  await expect(runProgram(['load', 'explain', 'knee'], fakeShell())).rejects.toMatchObject({ exit: 2, message })
})
