import { describe, expect, test } from 'vitest'
import { outcomeIn } from '#testing/outcome-in'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import * as say from '#trace/conditions'
import { indexTrace } from '../trace-index.ts'

const done = say.event('done')
const within = 500

interface Asked {
  readonly trace: TraceBuilder
  readonly channel: number
  readonly frame: number
}

function ask(): Asked {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  return { trace, channel, frame: trace.sent(channel, { type: 'go' }) }
}

const comes = ({ channel, frame }: Asked, until?: number): Condition =>
  say.eventually(channel, { frame }, done, within, until === undefined ? {} : { until: { frame: until } })

const get = (trace: TraceBuilder, status: string): number =>
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data: { status } } }, {}, 'primary', path)
const path = '/v1/realtime-avatar/sessions/session-a'

describe('an answer that must come before something else is sent', () => {
  test.each([
    ['late, and before it', 900, undefined, 'held'],
    ['after it, which was sent before the absence was certain', 600, 100, 'unobserved: network'],
    ['never, where the next was sent before that was certain', 600, undefined, 'unobserved: prerequisite'],
    ['after it, once its absence was certain', 1_000, 100, 'broken'],
    ['never, for twice as long as it may take', 1_000, undefined, 'broken'],
  ])('%s', (title, before, after, expected) => {
    const asked = ask()
    const { trace, channel } = asked
    trace.pass(before)
    if (title.startsWith('late')) trace.received(channel, { type: 'done' })
    const next = trace.sent(channel, { type: 'next' })
    if (after !== undefined) trace.pass(after).received(channel, { type: 'done' })
    expect(outcomeIn(trace, comes(asked, next))).toBe(expected)
  })

  test('it holds where nothing else was sent any more', () => {
    const asked = ask()
    asked.trace.pass(5_000).received(asked.channel, { type: 'done' })
    expect(outcomeIn(asked.trace, comes(asked, 999))).toBe('held')
  })
})

describe('an answer of another kind', () => {
  const other = say.event('refused')
  const either = ({ channel, frame }: Asked): Condition =>
    say.eventually(channel, { frame }, done, within, { instead: [other] })

  test('leaves nothing more to wait for', () => {
    const asked = ask()
    asked.trace.received(asked.channel, { type: 'refused' })
    asked.trace.sent(asked.channel, { type: 'next' })
    expect(outcomeIn(asked.trace, either(asked))).toBe('broken')
  })

  test('does no harm where the right one comes as well', () => {
    const asked = ask()
    asked.trace.received(asked.channel, { type: 'refused' })
    asked.trace.received(asked.channel, { type: 'done' })
    expect(outcomeIn(asked.trace, either(asked))).toBe('held')
  })
})

describe('what the service ends leaves what was asked before undecided', () => {
  test('session.closed, on this connection or on another one', () => {
    for (const elsewhere of [false, true]) {
      const asked = ask()
      const { trace, channel } = asked
      trace.received(elsewhere ? trace.opened() : channel, { type: 'session.closed', reason: 'maintenance' })
      trace.closed(channel, 'target').pass(5_000).mark()
      expect(outcomeIn(trace, comes(asked))).toBe('unobserved: network')
    }
  })

  test('time after session.closed is no silence', () => {
    const asked = ask()
    asked.trace.received(asked.channel, { type: 'session.closed' })
    asked.trace.pass(5_000).mark()
    expect(outcomeIn(asked.trace, comes(asked))).toBe('unobserved: network')
  })

  test('silence that was certain before is none of that', () => {
    const asked = ask()
    asked.trace.pass(1_000).received(asked.channel, { type: 'session.closed' })
    expect(outcomeIn(asked.trace, comes(asked))).toBe('broken')
  })

  test.each([
    ['closed', 'unobserved: network'],
    ['failed', 'unobserved: network'],
    ['active', 'broken'],
  ])('a close of the connection where Get then shows %s', (status, expected) => {
    const asked = ask()
    asked.trace.closed(asked.channel, 'target', 1008)
    get(asked.trace, status)
    expect(outcomeIn(asked.trace, comes(asked))).toBe(expected)
  })

  test('our own close afterwards shows nothing of that', () => {
    const asked = ask()
    asked.trace.closed(asked.channel, 'target', 1008)
    asked.trace.rest('close-avatar-session', { body: { code: 0, message: 'ok' } }, {}, 'primary', `${path}/close`)
    get(asked.trace, 'closed')
    expect(outcomeIn(asked.trace, comes(asked))).toBe('broken')
  })

  test('its secret need not admit any more', () => {
    const { trace, channel } = ask()
    trace.received(channel, { type: 'session.closed' })
    const refused = trace.refused(401)
    expect(outcomeIn(trace, say.admitted(refused))).toBe('unobserved: network')
  })
})

describe('recording that stopped', () => {
  test('what cleanup writes afterwards is no silence', () => {
    const asked = ask()
    const { trace } = asked
    trace.add({ kind: 'wait', scenario: 'a.scenario', why: 'event', ms: 1, t: 10 })
    trace.pass(20_000)
    trace.rest('close-avatar-session', { body: { code: 0, message: 'ok' } })
    trace.add({ kind: 'cleanup', closed: ['session-a'], leaked: [], undeletable: [], t: 20_010 })
    expect(outcomeIn(trace, comes(asked))).toBe('unobserved: interrupted')
    expect(
      outcomeIn(trace, say.never(asked.channel, done, { frame: asked.frame }, { frame: asked.frame, plus_ms: 9 })),
    ).toBe('unobserved: prerequisite')
  })

  test('what cleanup asks after an interrupt is no part of what is judged', () => {
    const exchangesOf = (outcome: 'interrupted' | 'completed') => {
      const trace = new TraceBuilder()
      trace.add({ kind: 'scenario-start', scenario: 'a.scenario', t: 1 })
      trace.rest('close-avatar-session', { status: 409, body: { code: 40901, message: 'under way' } })
      trace.add({ kind: 'end', outcome, t: 10 })
      return indexTrace(trace.entries).exchanges.size
    }
    expect([exchangesOf('interrupted'), exchangesOf('completed')]).toEqual([0, 1])
  })

  test('what was missing for sure before is missing', () => {
    const asked = ask()
    asked.trace.add({ kind: 'wait', scenario: 'a.scenario', why: 'event', ms: 1_000, t: 1_003 })
    expect(outcomeIn(asked.trace, comes(asked))).toBe('broken')
  })
})
