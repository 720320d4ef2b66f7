import { afterAll, beforeAll } from 'vitest'
import { at, type Channel, type Fields, type Reply, Visitor } from '../visitor.ts'
import type { StrangerOptions } from './options.ts'
import { startStranger, type Stranger } from './start.ts'

export const SESSIONS = '/v1/realtime-avatar/sessions'

export const validBody: Fields = {
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada' }],
}

/** A stranger and a visitor, for all tests of one file. */
export interface Fixture {
  stranger: Stranger
  visitor: Visitor
  create(changes?: Fields, key?: string): Promise<Reply>
  /** Creates a session, opens its channel and hands both to `use`; closes the session afterwards. */
  within<T>(changes: Fields, use: (channel: Channel, created: Fields) => Promise<T>): Promise<T>
}

export function useStranger(options: StrangerOptions = {}): Fixture {
  let stranger: Stranger | undefined
  let visitor: Visitor | undefined
  beforeAll(async () => {
    stranger = await startStranger({ word_ms: 2, cleanup_ms: 5, concurrent_sessions: 50, ...options })
    visitor = new Visitor(stranger)
  })
  afterAll(async () => {
    await visitor?.close()
    await stranger?.stop()
  })
  const fixture: Fixture = {
    get stranger() {
      if (stranger === undefined) throw new Error('the stranger has not started')
      return stranger
    },
    get visitor() {
      if (visitor === undefined) throw new Error('the stranger has not started')
      return visitor
    },
    create: (changes = {}, key = fixture.stranger.keys.primary) =>
      fixture.visitor.send('POST', SESSIONS, key, { ...validBody, ...changes }),
    async within(changes, use) {
      const created = await fixture.create(changes)
      const channel = await fixture.visitor.connect(created.data.control)
      try {
        return await use(channel, created.data)
      } finally {
        const id = String(at(created.data, 'session_id'))
        await fixture.visitor.send('POST', `${SESSIONS}/${id}/close`, fixture.stranger.keys.primary)
        channel.socket.terminate()
      }
    },
  }
  return fixture
}
