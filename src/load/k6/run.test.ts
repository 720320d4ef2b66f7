import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { K6Line } from './lines.ts'
import { type K6Ran, type K6Run, runK6 } from './run.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

afterEach(() => {
  delete process.env['K6_OUT']
})

/** Runs a program of ours where k6 belongs. */
function runFake(program: string, wishes: Partial<K6Run> = {}): Promise<K6Ran> {
  const k6 = join(folder, 'k6')
  writeFileSync(k6, `#!${process.execPath}\n${program}\n`)
  chmodSync(k6, 0o755)
  return runK6({
    k6,
    script: 'soak.ts',
    environment: { GREENROOM_TARGET: 'https://127.0.0.1' },
    partFile: join(folder, 'part.json'),
    segment: { own: '0:1/2', all: '0,1/2,1' },
    deadlineMs: 30_000,
    signal: new AbortController().signal,
    ...wishes,
  })
}

const writesPart = (json: string): string =>
  `require('node:fs').writeFileSync(process.env.GREENROOM_SUMMARY, JSON.stringify(${json}))`

test('the part and all other output of the process come back', async () => {
  const ran = await runFake(
    `${writesPart('{ verdict: "pass" }')}; console.log('out'); console.error('err'); process.exitCode = 99`,
  )
  expect(ran).toMatchObject({ code: 99, part: { verdict: 'pass' } })
  expect(ran.output).toMatch(/out\n/)
  expect(ran.output).toMatch(/err\n/)
})

test('what the script says comes line by line, and is no output', async () => {
  const lines: K6Line[] = []
  const program = `console.log('greenroom-none {"create":"a"}'); process.stdout.write('greenroom-none {"create":"ü"}')`
  const { output } = await runFake(program, { take: (line) => void lines.push(line) })
  expect(lines).toEqual([
    { kind: 'none', create: 'a' },
    { kind: 'none', create: 'ü' },
  ])
  expect(output).toBe('')
})

test('of endless output the end is kept', async () => {
  const { output } = await runFake(`for (let i = 0; i < 50_000; i += 1) console.log('line ' + i)`)
  expect(output.length).toBeLessThanOrEqual(64_000)
  expect(output.endsWith('line 49999\n')).toBe(true)
})

test('k6 is told its segment and outputs, and its script last', async () => {
  const { part } = await runFake(writesPart('process.argv.slice(2)'), { outputs: ['opentelemetry'] })
  const args = part as string[]
  expect(args.slice(-7, -1)).toEqual([
    '--out',
    'opentelemetry',
    '--execution-segment',
    '0:1/2',
    '--execution-segment-sequence',
    '0,1/2,1',
  ])
  expect(args.at(-1)).toMatch(/load[\\/]soak\.ts$/)
})

test('k6 gets no options and no variables that it was not meant to get', async () => {
  process.env['K6_OUT'] = 'json=everything.json'
  const { part } = await runFake(writesPart('Object.keys(process.env)'))
  const names = part as string[]
  expect(names).toContain('GREENROOM_TARGET')
  expect(names).not.toContain('K6_OUT')
  expect(names.filter((name) => name.startsWith('VITEST') || name.startsWith('npm_'))).toEqual([])
})

test('a process that does not end is stopped at its deadline', async () => {
  const ran = await runFake("console.log('up'); setInterval(() => undefined, 1000)", { deadlineMs: 300 })
  expect(ran).toMatchObject({ code: null, part: undefined })
})

test('an interruption stops the process, which may still write its part', async () => {
  const stop = new AbortController()
  const program = `process.on('SIGTERM', () => { ${writesPart('"late"')}; process.exit(105) })
    console.log('greenroom-none {"create":"up"}'); setInterval(() => undefined, 1000)`
  const ran = await runFake(program, { signal: stop.signal, take: () => stop.abort() })
  expect(ran).toMatchObject({ code: 105, part: 'late' })
})

test('a k6 that does not exist is an error', async () => {
  await expect(runFake('', { k6: join(folder, 'nowhere') })).rejects.toThrow('ENOENT')
})
