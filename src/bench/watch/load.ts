import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { readOptions } from '../command-line.ts'

// What `watch` costs: `npm run bench -- watch [--sessions 500] [--events 5000] [--seconds 60] [--requests 200]`. First the
// time that it adds to a request, measured beside the same requests without it; then its memory under a flood of events.
const values = readOptions('npm run bench -- watch [--sessions 500] [--events 5000] [--seconds 60] [--requests 2000]', {
  sessions: { type: 'string', default: '500' },
  events: { type: 'string', default: '5000' },
  seconds: { type: 'string', default: '60' },
  requests: { type: 'string', default: '2000' },
})
const [sessions, events, seconds, requests] = [values.sessions, values.events, values.seconds, values.requests].map(
  Number,
) as [number, number, number, number]

const server = createServer((request, response) => {
  request.resume()
  made += 1
  const url = `ws://127.0.0.1:${port}/v1/realtime-avatar/control?session_id=ses_${made}`
  const data = { session_id: `ses_${made}`, control: { url, client_secret: `secret-of-${made}-0123456789` } }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ code: 0, message: 'success', data: request.method === 'POST' ? data : { voices: [] } }))
})
let made = 0
const sockets = new WebSocketServer({ server })
const open = new Set<WebSocket>()
sockets.on('connection', (socket) => open.add(socket))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? (address?.port ?? 0) : 0
const target = `http://127.0.0.1:${port}`

const watch = spawn(process.execPath, ['src/bin.js', 'watch', '--target', target], {
  env: { ...process.env, GREENROOM_API_KEY: 'bench-key-0123456789' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let said = ''
for await (const chunk of watch.stdout) {
  said += String(chunk)
  if (said.includes('Ctrl-C ends it')) break
}
const front = /GREENROOM_WATCHED=(\S+)/.exec(said)?.[1] ?? ''

/** The process that does it: `bin.js` starts it again under another Node where it has to. */
function memoryOf(pid: number): number {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  return Math.round(Math.max(own, ...below.map(memoryOf)))
}

const headers = { authorization: 'Bearer bench-key-0123456789' }

async function ask(base: string): Promise<number> {
  const began = performance.now()
  await (await fetch(`${base}/v1/voices`, { headers })).text()
  return performance.now() - began
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
}

const times = { direct: [] as number[], watched: [] as number[] }
for (let count = 0; count < requests + 200; count += 1) {
  // In turn, so that both meet the same machine; the first ones warm it up.
  const [direct, watched] = [await ask(target), await ask(front)]
  if (count >= 200) {
    times.direct.push(direct)
    times.watched.push(watched)
  }
}
for (const share of [0.5, 0.9, 0.99]) {
  const [direct, watched] = [percentile(times.direct, share), percentile(times.watched, share)]
  console.log(
    `p${share * 100} of ${requests} requests, one after the other: direct ${direct.toFixed(2)} ms, watched ${watched.toFixed(2)} ms, added ${(watched - direct).toFixed(2)} ms`,
  )
}

let received = 0
for (let count = 0; count < sessions; count += 1) {
  const answer = await fetch(`${front}/v1/realtime-avatar/sessions`, { method: 'POST', headers, body: '{}' })
  const { data } = (await answer.json()) as { data: { control: { url: string; client_secret: string } } }
  const socket = new WebSocket(`${data.control.url}&token=${data.control.client_secret}`)
  socket.on('message', () => (received += 1))
  await once(socket, 'open')
}
console.log(`${sessions} sessions open: ${memoryOf(watch.pid ?? 0)} MB`)
const tick_ms = 50
let sent = 0
const began = performance.now()
let sampled = began
while (performance.now() - began < seconds * 1_000) {
  const due = Math.floor(((performance.now() - began) / 1_000) * events)
  const all = [...open]
  for (; sent < due; sent += 1) {
    const event = { event_id: `event_${sent}`, type: 'error', error: { type: 'server_error', message: 'of the bench' } }
    all[sent % all.length]?.send(JSON.stringify(event))
  }
  if (performance.now() - sampled > (seconds * 1_000) / 8) {
    sampled = performance.now()
    console.log(
      `after ${Math.round((sampled - began) / 1_000)} s: ${sent} events sent, ${received} received, ${memoryOf(watch.pid ?? 0)} MB`,
    )
  }
  await sleep(tick_ms)
}
watch.kill('SIGINT')
const ended = performance.now()
await once(watch, 'exit')
console.log(`ended ${((performance.now() - ended) / 1_000).toFixed(1)} s after Ctrl-C`)
for (const socket of open) socket.terminate()
server.closeAllConnections()
server.close()
