import { afterAll, beforeAll } from 'vitest'
import { at, type Channel, type JsonObject, type Reply, Visitor } from '../visitor.ts'
import type { MinimalServerOptions } from './options.ts'
import { startMinimalServer, type MinimalServer } from './start.ts'

export const SESSIONS = '/v1/realtime-avatar/sessions'

export const validBody: JsonObject = {
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada' }],
}

/** A minimal server and a visitor, for all tests of one file. */
export interface Fixture {
  server: MinimalServer
  visitor: Visitor
  create(changes?: JsonObject, key?: string): Promise<Reply>
  /** Creates a session, opens its channel and hands both to `use`; closes the session afterwards. */
  within<T>(changes: JsonObject, use: (channel: Channel, created: JsonObject) => Promise<T>): Promise<T>
}

export function useMinimalServer(options: MinimalServerOptions = {}): Fixture {
  let server: MinimalServer | undefined
  let visitor: Visitor | undefined
  beforeAll(async () => {
    server = await startMinimalServer({ word_ms: 2, cleanup_ms: 5, concurrent_sessions: 50, ...options })
    visitor = new Visitor(server)
  })
  afterAll(async () => {
    await visitor?.close()
    await server?.stop()
  })
  const fixture: Fixture = {
    get server() {
      if (server === undefined) throw new Error('the minimal server has not started')
      return server
    },
    get visitor() {
      if (visitor === undefined) throw new Error('the minimal server has not started')
      return visitor
    },
    create: (changes = {}, key = fixture.server.keys.primary) =>
      fixture.visitor.send('POST', SESSIONS, key, { ...validBody, ...changes }),
    async within(changes, use) {
      const created = await fixture.create(changes)
      const channel = await fixture.visitor.connect(created.data.control)
      try {
        return await use(channel, created.data)
      } finally {
        const id = String(at(created.data, 'session_id'))
        await fixture.visitor.send('POST', `${SESSIONS}/${id}/close`, fixture.server.keys.primary)
        channel.socket.terminate()
      }
    },
  }
  return fixture
}
