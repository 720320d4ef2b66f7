import { expect, test, vi } from 'vitest'
import { Visitor } from '../visitor.ts'
import { hostileTargets } from './targets.ts'
import { HANG_MS } from '../hang.ts'

test('ids are unique and in kebab-case, and every row says what it does', () => {
  const ids = hostileTargets.map((target) => target.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, description } of hostileTargets) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(description.length).toBeGreaterThan(5)
  }
})

test.concurrent.each(hostileTargets)('$id starts and stops in the middle of a request', async ({ start }) => {
  const server = await start()
  const visitor = new Visitor(server)
  const waiting = visitor.send('GET', '/v1/realtime-avatar/sessions', server.keys.primary).catch(() => 'ended')
  await vi.waitFor(() => expect(server.stats.connections).toBe(1), HANG_MS)
  await server.stop()
  await visitor.close()
  expect(await waiting).toBeDefined()
  expect(server.listening()).toBe(false)
})
