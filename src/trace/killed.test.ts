import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseTrace } from './reader.ts'
import { newFolder } from '#testing/new-folder'

const writer = `
  import { openTrace } from ${JSON.stringify(import.meta.resolve('./writer.ts'))}
  import { createRedactor } from ${JSON.stringify(import.meta.resolve('./redact.ts'))}
  const trace = openTrace(process.argv[1], 0, createRedactor([]))
  for (let mark = 1; ; mark += 1) {
    trace.write({ kind: 'mark', mark, label: 'x'.repeat(3000) })
    if (mark === 100) process.stdout.write('on')
  }
`

test('a process that is killed while it writes loses at most the line that it was writing', async () => {
  const folder = newFolder()
  const path = join(folder, 'trace.ndjson')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', writer, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { entries } = parseTrace(readFileSync(path))
  expect(entries.length).toBeGreaterThanOrEqual(100)
  expect(entries.map((entry) => entry.kind === 'mark' && entry.mark)).toEqual(entries.map((_, place) => place + 1))
})
