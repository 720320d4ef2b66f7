import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, come, created, message, resource, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from './rules.ts'

const inText = state('text_chat', 'guide')
const words = speech('Once upon a time there was a river.')
const begun: Steps = [
  ...opened('ses_1', inText),
  ...applied('u0', { mode: 'text_chat', active_avatar_id: 'guide' }, inText),
  ...created('known', message('known', 'user', 'Hello.'), null),
]

/** Something is asked, and nothing comes of it for as long as anybody listens. */
const silences: readonly [row: string, steps: Steps][] = [
  ['session-update.accepted-yields-done', [...applied('u1', { mode: 'text_chat' }, inText).slice(0, 2), quiet]],
  [
    'session-update.invalid-answered-by-error',
    [send('u1', 'session.update', { session: { active_avatar_id: 'nobody' } }), quiet],
  ],
  ['item-retrieve.answered', [send('get', 'conversation.item.retrieve', { item_id: 'known' }), quiet]],
  ['item-delete.answered', [send('del', 'conversation.item.delete', { item_id: 'known' }), quiet]],
  ['scheduling.interrupt-starts-new', [send('i1', 'response.create', { response: words }), quiet]],
  [
    'response-done.always',
    [
      send('i1', 'response.create', { response: words }),
      come('i1.created', 'response.created', { request_event_id: 'i1', response: resource('r-i1', 'in_progress') }),
      quiet,
    ],
  ],
]

test.each(silences)('%s is broken by silence where a time was promised', (row, steps) => {
  expect(verdictsOf(rules, [...begun, ...steps]).broken).toContain(row)
  const told = { recording: 'watch', timeouts: { event_ms: 5_000 } } as const
  expect(verdictsOf(rules, [...begun, ...steps], told).broken).toContain(row)
})

test.each(silences)('%s: in a recording nobody promised how soon an answer comes', (_, steps) => {
  expect(verdictsOf(rules, [...begun, ...steps], { recording: 'watch' }).reasons).toEqual([])
})

test.each(silences)('%s: nobody listened while Greenroom stood still, and then the session ended', (_, steps) => {
  const ended = come('ended', 'session.closed', { session_id: 'ses_1', reason: 'maintenance' })
  const halted: Steps = [...steps.filter((step) => step !== quiet), { what: 'halt', ms: 40_000 }, ended]
  expect(verdictsOf(rules, [...begun, ...halted]).reasons).toEqual([])
})
