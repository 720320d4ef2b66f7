import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { WebSocketServer } from 'ws'
import { expect, test } from 'vitest'
import { findK6 } from '#load/k6/binary'
import { listen } from '#testing/listener'
import { FakeK6 } from '../fake-k6.ts'
import type { ServiceRequest } from '../fake-service.ts'
import { contractScript } from './script.ts'
import { contractService } from './service.ts'

/** Every promise of the script was told, and held. */
function holds(output: string): void {
  const told = output.split('\n').filter((line) => line.startsWith('contract '))
  expect(told.filter((line) => !line.endsWith(': ok'))).toEqual([])
  expect(told).toHaveLength(18)
}

test('the fake k6 keeps what load scripts rely on', async () => {
  const k6 = new FakeK6(() => contractService, { CONTRACT_TARGET: 'http://service' })
  const { lines, outputs, failures } = await k6.run(() => contractScript())
  expect(failures).toEqual([])
  holds([...lines, outputs['stdout'] ?? ''].join('\n'))
})

const k6 = findK6()

// Without k6, CI builds one; on a machine without Go there is none to hold to anything.
test.runIf(!('why' in k6))('a real k6 keeps the same', async () => {
  const server = await realServer()
  try {
    const entry = fileURLToPath(new URL('entry.ts', import.meta.url))
    const args = ['run', '--quiet', '--no-usage-report', '--log-output=stdout', '--log-format=raw', entry]
    const env = { PATH: process.env['PATH'], CONTRACT_TARGET: `http://127.0.0.1:${server.port}` }
    const { stdout } = await promisify(execFile)('path' in k6 ? k6.path : '', args, { env })
    holds(stdout)
  } finally {
    await server.stop()
  }
})

/** The contract's service behind a real server. */
function realServer() {
  const server = createServer((request, response) => void answer(request, response))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const upgrade = contractService.upgrade(asked(request, ''))
    if (upgrade === 'silence') return
    if (!('open' in upgrade)) {
      socket.end(`HTTP/1.1 ${upgrade.status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      const handler = upgrade.open({
        send: (frame) => open.send(frame),
        close: (code) => open.close(code),
        drop: () => open.terminate(),
      })
      open.on('message', (data: Buffer) => handler.heard?.(data.toString()))
    })
  })
  return listen(server)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const answered = contractService.request(asked(request, Buffer.concat(chunks).toString()))
  if (answered === 'silence') return
  setTimeout(() => {
    response.writeHead(answered.status, answered.headers)
    response.end(answered.body)
  }, answered.after_ms)
}

function asked({ method = '', url = '', headers }: IncomingMessage, body: string): ServiceRequest {
  const told = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return { method, url: `http://service${url}`, headers: told, body }
}
