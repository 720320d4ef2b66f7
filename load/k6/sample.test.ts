import { expect, test, vi } from 'vitest'
import { SecretFilter } from '../core/secrets.ts'
import type { Listener } from '../scenarios/machine.ts'
import { Sample } from './sample.ts'

const session = { id: 's1', url: 'wss://127.0.0.1/control?session_id=s1', secret: 'the-secret' }
const deaf: Listener = { opened: () => undefined, heard: () => undefined, closed: () => undefined }

/** How the end of a connection is recorded. */
function recordedEnd(code: number | undefined, hangUp = false): object {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const sample = new Sample('one', () => 1, new SecretFilter('salt'))
  let heard = deaf
  const connection = sample.connection(session, deaf, (listener) => {
    heard = listener
    return { send: () => undefined, close: () => undefined }
  })
  heard.opened(2)
  if (hangUp) connection.close()
  heard.closed({ at: 3, opened: true, code })
  const last = String(printed.mock.calls.at(-1)?.[0])
  printed.mockRestore()
  return (JSON.parse(last.slice(last.indexOf('{'))) as { entry: object }).entry
}

test.each([
  ['a close frame', 1_001, { by: 'target', code: 1_001 }],
  ['none, as k6 says it', 1_006, { by: 'network', code: 1_006 }],
  ['nothing at all', undefined, { by: 'network', code: 1_006 }],
] as const)('who ended a connection is told by %s', (_, code, entry) => {
  expect(recordedEnd(code)).toMatchObject(entry)
})

test('what we hang up ourselves is ours, whatever came back', () => {
  expect(recordedEnd(1_006, true)).toMatchObject({ by: 'us' })
})

test('a generator that hears nothing for a while says so, since silence is then no fault of the target', () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const sample = new Sample('one', () => 9_000, new SecretFilter('salt'))
  sample.late(80)
  sample.late(4_999.6)
  const lines = printed.mock.calls.map(([line]) => String(line))
  printed.mockRestore()
  expect(lines).toEqual(['greenroom-sample {"conversation":"one","entry":{"kind":"halt","ms":5000,"t":9000}}'])
})
