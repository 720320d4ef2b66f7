// What `npm run bench:load` compares the library with: the same requests and frames, and of each event no more than
// JSON.parse and one Trend.add. k6 run load/bench/bare.ts
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { WebSocket } from 'k6/websockets'

const { GREENROOM_TARGET: target = '', GREENROOM_API_KEY: key = '', GREENROOM_SUMMARY: file = '' } = __ENV
const { users, turns, characters, start_rate, stages } = JSON.parse(__ENV['GREENROOM_SCALE'] ?? '{}') as {
  users: number
  turns: number
  characters: number
  start_rate: number
  stages: { seconds: number; rate: number }[]
}
const text = 'x'.repeat(characters)
const gap = new Trend('gap')
const events = new Counter('events')

export const options: Options = {
  scenarios: {
    bare: {
      executor: 'ramping-arrival-rate',
      startRate: start_rate,
      timeUnit: '1s',
      preAllocatedVUs: users,
      maxVUs: users,
      gracefulStop: '120s',
      stages: [
        ...stages.map(({ seconds, rate }) => ({ duration: `${seconds}s`, target: rate })),
        // k6 begins the last iteration at the very end, or not at all.
        { duration: `${Math.round(500 / start_rate)}ms`, target: start_rate },
      ],
    },
  },
  systemTags: ['name', 'method', 'status', 'error_code', 'scenario', 'expected_response'],
}

const post = (path: string, body: string): Promise<{ body: unknown }> =>
  http.asyncRequest('POST', `${target}${path}`, body, {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    tags: { name: 'rest' },
  })

export default async function (): Promise<void> {
  const { body } = await post('/v1/realtime-avatar/sessions', '{"model":"svc-a1-stream"}')
  const { session_id, control } = (
    JSON.parse(String(body)) as { data: { session_id: string; control: { url: string; client_secret: string } } }
  ).data
  const socket = new WebSocket(`${control.url}&token=${control.client_secret}`, null, { tags: { name: 'control' } })
  const name = `${exec.vu.idInTest}-${exec.scenario.iterationInTest}`
  let [turn, last, heard] = [0, 0, 0]
  const update = (): void =>
    socket.send(`{"type":"session.update","event_id":"${name}-u${turn}","session":{"active_avatar_id":"ben"}}`)
  socket.onopen = update
  socket.onmessage = (message): void => {
    if (message === undefined) return
    const event = JSON.parse(message.data as string) as { type: string }
    gap.add(message.timestamp - last)
    last = message.timestamp
    heard += 1
    if (event.type === 'session.updated') {
      const response = { script: { vocal: { type: 'speech', text } } }
      socket.send(JSON.stringify({ type: 'response.create', event_id: `${name}-r${turn}`, response }))
    } else if (event.type === 'response.done') {
      turn += 1
      if (turn < turns) update()
      else socket.close(1000)
    }
  }
  await new Promise<void>((resolve) => (socket.onclose = (): void => resolve()))
  events.add(heard)
  await post(`/v1/realtime-avatar/sessions/${session_id}/close`, '{}')
}

export const handleSummary = (data: {
  metrics: { [name: string]: { values: { [value: string]: number } } }
  state: { testRunDurationMs: number }
}): { [output: string]: string } => ({
  [file]: JSON.stringify({
    events: data.metrics['events']?.values['count'] ?? 0,
    duration_ms: data.state.testRunDurationMs,
  }),
})
