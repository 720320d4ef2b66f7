import { expect, test } from 'vitest'
import type { Entry } from '#trace/entry'
import { verboseLines } from './verbose.ts'

const shown = (entry: Partial<Entry>): string =>
  verboseLines({ t: 1_234, scenario: 'voices.get', ...entry } as Entry).join()

test.each([
  [
    { kind: 'request', exchange: 7, attempt: 2, method: 'GET', path: '/v1/voices', key: 'primary' },
    '7.2 → GET /v1/voices (key primary)',
  ],
  [
    { kind: 'response', exchange: 7, attempt: 2, status: 404, body: { code: 20005, message: 'no' }, bytes: 9 },
    '7.2 ← 404 code 20005 no, 9 bytes',
  ],
  [{ kind: 'frame-sent', channel: 3, data: { type: 'response.create' } }, 'channel 3 → response.create'],
  [{ kind: 'frame-received', channel: 3, text: 'a\u001b[2J' }, 'channel 3 ← a\\u{1b}[2J'],
  [{ kind: 'wait', why: 'pace', ms: 41_000 }, 'waited 41.0 s (pace)'],
] as const)('%j is one line', (entry, said) => {
  expect(shown(entry as unknown as Partial<Entry>)).toBe(`   1.23 s  voices.get  ${said}`)
})

test('what only the judge needs is not shown', () => {
  expect(verboseLines({ kind: 'mark', t: 1, mark: 1, label: 'a' })).toEqual([])
})
