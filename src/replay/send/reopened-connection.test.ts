import { expect, test } from 'vitest'
import type { OpenSession } from '#scenario/author/context'
import { createBindings } from './bindings.ts'
import { openingOf } from './reopened-connection.ts'

const recorded = 'wss://old.example:1234/v1/realtime-avatar/control?session_id=s1'
const session: OpenSession = {
  id: 's9',
  exchange: 1,
  key: 'primary',
  data: { control: { url: 'wss://new.example:9/v1/realtime-avatar/control?session_id=s9' } },
}

const openingAt = (url: string) => {
  const entry = { kind: 'channel-open', seq: 1, t: 0, channel: 1, session: 's1', url, credential: 'none' } as const
  return openingOf(entry, recorded, session, createBindings('run', { ids: 'now', mark: 'now' }))
}

test('the address of an unknown session is asked of the target of now', () => {
  const { url } = openingAt('wss://old.example:1234/v1/realtime-avatar/control?session_id=s0')
  expect(url).toBe('wss://new.example:9/v1/realtime-avatar/control?session_id=s0')
})

test('the session is opened at its own address, and what led to another host goes there again', () => {
  expect(openingAt(recorded)).not.toHaveProperty('url')
  expect(openingAt('wss://else.example/control').url).toBe('wss://else.example/control')
})
