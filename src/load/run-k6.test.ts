import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type K6Ran, runK6 } from './run-k6.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenroom-run-k6-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  delete process.env['K6_OUT']
})

/** Runs a program of ours where k6 belongs. */
function runFake(program: string, wishes: { deadlineMs?: number; signal?: AbortSignal } = {}): Promise<K6Ran> {
  const k6 = join(folder, 'k6')
  writeFileSync(k6, `#!${process.execPath}\n${program}\n`)
  chmodSync(k6, 0o755)
  return runK6({
    k6,
    script: 'event-throughput.ts',
    environment: { GREENROOM_TARGET: 'https://127.0.0.1' },
    summaryFile: join(folder, 'summary.json'),
    segment: { own: '0:1/2', all: '0,1/2,1' },
    deadlineMs: wishes.deadlineMs ?? 30_000,
    signal: wishes.signal ?? new AbortController().signal,
  })
}

const writesSummary = (json: string): string =>
  `require('node:fs').writeFileSync(process.env.GREENROOM_SUMMARY, JSON.stringify(${json}))`

test('the summary and all output of the process come back', async () => {
  const ran = await runFake(
    `${writesSummary('{ verdict: "pass" }')}; console.log('out'); console.error('err'); process.exitCode = 99`,
  )
  expect(ran).toMatchObject({ code: 99, summary: { verdict: 'pass' } })
  expect(ran.output).toMatch(/out\n/)
  expect(ran.output).toMatch(/err\n/)
})

test('k6 is told its segment, and its script last', async () => {
  const { summary } = await runFake(writesSummary('process.argv.slice(2)'))
  const args = summary as unknown as string[]
  expect(args.slice(-5, -1)).toEqual(['--execution-segment', '0:1/2', '--execution-segment-sequence', '0,1/2,1'])
  expect(args.at(-1)).toMatch(/load[\\/]event-throughput\.ts$/)
})

test('k6 gets no options and no variables that it was not meant to get', async () => {
  process.env['K6_OUT'] = 'json=everything.json'
  const { summary } = await runFake(writesSummary('Object.keys(process.env)'))
  const names = summary as unknown as string[]
  expect(names).toContain('GREENROOM_TARGET')
  expect(names).not.toContain('K6_OUT')
  expect(names.filter((name) => name.startsWith('VITEST') || name.startsWith('npm_'))).toEqual([])
})

test('a process that does not end is stopped at its deadline', async () => {
  const ran = await runFake("console.log('up'); setInterval(() => undefined, 1000)", { deadlineMs: 300 })
  expect(ran).toMatchObject({ code: null, summary: undefined })
})

test('an interruption stops the process', async () => {
  const stop = new AbortController()
  const running = runFake('setInterval(() => undefined, 1000)', { signal: stop.signal })
  stop.abort()
  expect(await running).toMatchObject({ code: null })
})

test('a k6 that does not exist is an error', async () => {
  const running = runK6({
    k6: join(folder, 'nowhere'),
    script: 'event-throughput.ts',
    environment: {},
    summaryFile: join(folder, 'summary.json'),
    segment: undefined,
    deadlineMs: 1_000,
    signal: new AbortController().signal,
  })
  await expect(running).rejects.toThrow('ENOENT')
})
