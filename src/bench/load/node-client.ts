import { WebSocket } from 'ws'

// The same conversation by a bare Node client: node src/bench/load/node-client.ts PORT TURNS CHARACTERS. It prints events,
// CPU microseconds an event and events a second.

const [port, turns = '10', characters = '1500'] = process.argv.slice(2)
const text = 'x'.repeat(Number(characters))
const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime-avatar/control?session_id=s&token=x`, {
  perMessageDeflate: false,
})
let [turn, events, longest, last] = [0, 0, 0, 0]
const begun = performance.now()
const cpu = process.cpuUsage()

const update = (): void => socket.send(JSON.stringify({ type: 'session.update', event_id: `u${turn}` }))
socket.on('open', update)
socket.on('message', (data: Buffer) => {
  const event = JSON.parse(data.toString()) as { type: string }
  const now = performance.now()
  longest = Math.max(longest, now - last)
  last = now
  events += 1
  if (event.type === 'session.updated') {
    const response = { script: { vocal: { type: 'speech', text } } }
    socket.send(JSON.stringify({ type: 'response.create', event_id: `r${turn}`, response }))
  } else if (event.type === 'response.done') {
    turn += 1
    if (turn < Number(turns)) update()
    else socket.close()
  }
})
socket.on('close', () => {
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - begun) / 1_000
  console.log(JSON.stringify({ events, us: (user + system) / events, per_s: events / seconds }))
})
