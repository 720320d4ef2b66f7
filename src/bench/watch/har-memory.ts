import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importHar } from '#recording/import/import-har'
import { judgeRecording } from '#recording/judge-recording'
import { readWords } from '../command-line.ts'

// What a HAR of 200 MB takes to be judged: `npm run bench -- watch-har [megabytes]`. Half of it are the messages of
// one connection, half of it are requests.
const [megabytes] = readWords('npm run bench -- watch-har [megabytes]', '200')
const size = Number(megabytes) * 1e6
const folder = mkdtempSync(join(tmpdir(), 'greenroom-har-'))
const file = join(folder, 'large.har')
const begin = Date.UTC(2026, 0, 1)

const message = (count: number): object => {
  const event = { type: 'error', event_id: `event_${count}`, error: { type: 'server_error', message: 'x'.repeat(200) } }
  return { type: 'receive', time: begin / 1_000 + count / 1_000, opcode: 1, data: JSON.stringify(event) }
}

const entry = (count: number): object => ({
  startedDateTime: new Date(begin + count).toISOString(),
  time: 1,
  request: {
    method: 'GET',
    url: 'https://service.example/v1/voices',
    headers: [{ name: 'authorization', value: 'Bearer replaced-secret' }],
    bodySize: 0,
  },
  response: {
    status: 200,
    headers: [],
    content: {
      size: 1,
      text: JSON.stringify({ code: 0, message: 'ok', data: { voices: [], filler: 'x'.repeat(300) } }),
    },
  },
})

const connection = {
  startedDateTime: new Date(begin).toISOString(),
  time: 1,
  request: {
    method: 'GET',
    url: 'wss://service.example/v1/realtime-avatar/control?session_id=ses_1&token=replaced-secret',
    headers: [],
  },
  response: { status: 101, headers: [], content: { size: 0 } },
}

const out = createWriteStream(file)
let written = 0
async function write(text: string): Promise<void> {
  written += text.length
  if (!out.write(text)) await once(out, 'drain')
}
await write('{"log":{"version":"1.2","entries":[{"_webSocketMessages":[')
for (let count = 0; written < size / 2; count += 1)
  await write(`${count === 0 ? '' : ','}${JSON.stringify(message(count))}`)
await write(`],${JSON.stringify(connection).slice(1)}`)
for (let count = 0; written < size; count += 1) await write(`,${JSON.stringify(entry(count))}`)
await write(']}}')
out.end()
await once(out, 'finish')
const before = process.resourceUsage().maxRSS / 1_024
const trace = join(folder, 'trace.ndjson')
const { missing } = await importHar({ file, profile: undefined, environment: {}, trace })
const imported = process.resourceUsage()
const { results } = await judgeRecording(trace)
const judged = process.resourceUsage()
const mb = (path: string): number => Math.round(statSync(path).size / 1e6)
console.log(
  `HAR of ${mb(file)} MB, trace of ${mb(trace)} MB: peak memory ${Math.round(before)} MB at the start, ${Math.round(imported.maxRSS / 1_024)} MB once imported, ${Math.round(judged.maxRSS / 1_024)} MB once judged; user CPU ${Math.round(imported.userCPUTime / 1e6)} s to import, ${Math.round((judged.userCPUTime - imported.userCPUTime) / 1e6)} s to judge; ${results.traffic.server_events} events, ${results.traffic.rest_requests} requests; ${missing.join('; ')}`,
)
rmSync(folder, { recursive: true, force: true })
