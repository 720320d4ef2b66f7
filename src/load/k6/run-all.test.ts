import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAll } from './run-all.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

afterEach(() => {
  delete process.env['GOGC']
})

/** What each of the processes finds in its environment. */
async function environments(processes: number): Promise<readonly NodeJS.ProcessEnv[]> {
  const k6 = join(folder, 'k6')
  const program = `require('node:fs').writeFileSync(process.env.GREENROOM_SUMMARY, JSON.stringify(process.env))`
  writeFileSync(k6, `#!${process.execPath}\n${program}\n`)
  chmodSync(k6, 0o755)
  const { signal } = new AbortController()
  const run = { k6, script: 'soak.ts', environment: {}, deadlineMs: 30_000, signal, folder, take: () => undefined }
  return (await runAll({ ...run, processes })).map(({ part }) => part as NodeJS.ProcessEnv)
}

const mebibytes = (limit: string | undefined): number => Number(/^(\d+)MiB$/.exec(limit ?? '')?.[1])

test('Go collects garbage seldomer, and all processes share the memory at which it saves that instead', async () => {
  const [alone] = await environments(1)
  const shared = await environments(2)
  expect(alone?.['GOGC']).toBe('200')
  expect(shared).toHaveLength(2)
  expect(mebibytes(shared[0]?.['GOMEMLIMIT'])).toBeCloseTo(mebibytes(alone?.['GOMEMLIMIT']) / 2, -1)
})

test('who has said how Go is to collect garbage is taken at their word', async () => {
  process.env['GOGC'] = '50'
  expect((await environments(1))[0]?.['GOGC']).toBe('50')
})
