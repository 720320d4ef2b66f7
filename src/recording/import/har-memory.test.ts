import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()
const begin = Date.UTC(2026, 0, 1)

/** A HAR of some 40 MB: messages of one connection, then requests. */
function largeHar(): string {
  const file = join(folder, 'large.har')
  const out = openSync(file, 'w')
  const event = { type: 'error', event_id: 'event_1', error: { type: 'server_error', message: 'x'.repeat(1_500) } }
  const message = { type: 'receive', time: begin / 1_000, opcode: 1, data: JSON.stringify(event) }
  const text = JSON.stringify({ code: 0, message: 'ok', data: { voices: [], filler: 'x'.repeat(1_500) } })
  const startedDateTime = new Date(begin).toISOString()
  const response = { status: 200, headers: [], content: { size: 1, text } }
  const request = { method: 'GET', url: 'https://service.example/v1/voices', headers: [] }
  const entry = JSON.stringify({ startedDateTime, time: 1, request, response })
  const url = 'wss://service.example/v1/realtime-avatar/control?session_id=ses_1&token=replaced-secret'
  const upgrade = { request: { method: 'GET', url, headers: [] }, response: { status: 101, headers: [], content: {} } }
  const connection = JSON.stringify({ startedDateTime, time: 1, ...upgrade })
  writeSync(out, `{"log":{"entries":[{"_webSocketMessages":[${JSON.stringify(message)}`)
  const block = `,${JSON.stringify(message)}`.repeat(1_000)
  for (let count = 0; count < 12; count += 1) writeSync(out, block)
  writeSync(out, `],${connection.slice(1)}`)
  const requests = `,${entry}`.repeat(1_000)
  for (let count = 0; count < 12; count += 1) writeSync(out, requests)
  writeSync(out, ']}}')
  closeSync(out)
  return file
}

/** In a thread that may hold less than the file has. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.module)
  .then(({ importHar }) => importHar({ ...workerData.har, profile: undefined, environment: {} }))
  .then(({ missing }) => parentPort.postMessage(missing))`

test('a HAR that is larger than the memory there is is imported whole', async () => {
  const har = { file: largeHar(), trace: join(folder, 'trace.ndjson') }
  expect(statSync(har.file).size).toBeGreaterThan(40e6)
  const worker = new Worker(program, {
    eval: true,
    workerData: { module: new URL('import-har.ts', import.meta.url).href, har },
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  })
  const [missing] = (await once(worker, 'message')) as [readonly string[]]
  expect(missing.join(' ')).toContain('12,000 requests without Authorization')
  expect(statSync(har.trace).size).toBeGreaterThan(40e6)
  await worker.terminate()
})
