import { describe, expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { HeaderEntry } from '#trace/entry'
import * as say from '#trace/conditions'
import { judge } from './judge.ts'
import type { RegisterView, Row } from './register-view.ts'
import type { Results } from './results.ts'
import type { Rule } from './rule.ts'

const base: Row = { section: '4.1', level: 'must', text: 'x', standing: 'stated' }
const rows: Record<string, Row> = {
  'part.a.must': base,
  'part.a.should': { ...base, level: 'should' },
  'part.a.may': { ...base, level: 'may' },
  'part.a.video': { ...base, abilities: ['video'] },
  'part.a.key': { ...base, keys: ['capped'] },
  'part.a.trigger': { ...base, triggers: ['tool_call_text'] },
  'part.a.media': { ...base, media: ['image_url'] },
  'part.a.passive': { ...base, passive: true },
  'part.a.full': { ...base, tier: 'full' },
  'part.a.twice': { ...base, at_least: 2 },
  'part.a.newer': { ...base, unscored: true },
  'part.a.untestable': { ...base, standing: 'untestable', why: 'nobody can see it' },
}
const register: RegisterView = {
  release: { version: '1.0.0', digest: 'a'.repeat(64) },
  rows: new Map(Object.entries(rows)),
  choices: new Map([['part.a.choice', { section: '7', text: 'status' }]]),
  digest: 'digest',
}

const every = Object.keys(rows)
const planned: Partial<HeaderEntry> = { manifest: [{ scenario: 'part.s', proves: every }] }

function run(
  build: (trace: TraceBuilder) => void,
  header: Partial<HeaderEntry> = planned,
  rules: readonly Rule[] = [],
): Results {
  const trace = new TraceBuilder(header)
  trace.add({ kind: 'scenario-start', t: 0, scenario: 'part.s' })
  build(trace)
  trace.add({ kind: 'scenario-end', t: 0, scenario: 'part.s', outcome: 'completed' }).end()
  return judge({ entries: trace.entries, truncated: false, sha256: 'sum' }, register, rules)
}

const verdictOf = (results: Results, id: string): string => {
  const row = results.requirements.find((one) => one.id === id)
  return row?.reason_code === undefined ? (row?.verdict ?? 'none') : `${row.verdict}: ${row.reason_code}`
}

const hold = (id: string) => (trace: TraceBuilder) => void trace.claim(id, say.accepted(trace.created('s', 'k')))
const breakRow = (id: string) => (trace: TraceBuilder) => {
  trace.created('s', 'k')
  trace.claim(id, say.accepted(trace.rest('get-avatar-session', { body: { code: 20005, message: 'no' } })))
}

function failing(trace: TraceBuilder, errors: readonly (readonly [type: string, code?: string])[]): void {
  trace.created('s', 'k')
  const channel = trace.opened('s')
  for (const [place, [type, code]] of errors.entries()) {
    const event_id = `e${place}`
    const frame = trace.sent(channel, { type: 'conversation.item.create', event_id })
    trace.received(channel, { type: 'error', error: { type, message: 'no', event_id, ...(code && { code }) } })
    trace.received(channel, { type: 'conversation.item.created', item: { id: 'other' } })
    trace.claim('part.a.must', say.eventually(channel, { frame }, say.event('conversation.item.created'), 500))
  }
  trace.pass(5_000)
}

test.each([
  ['a failure that comes once', [['server_error']], 'inconclusive: network'],
  ['one that comes each time', [['server_error'], ['internal']], 'fail'],
  ['a limit that is met each time', [['rate_limit_error'], ['server_error', 'overloaded']], 'inconclusive: network'],
  ['too many requests', [['invalid_request_error', 'rate_limit_exceeded']], 'inconclusive: network'],
] as const)('%s: what the service fails over by itself', (_what, errors, verdict) => {
  expect(
    verdictOf(
      run((trace) => failing(trace, errors)),
      'part.a.must',
    ),
  ).toBe(verdict)
})

describe('the verdict on a row', () => {
  test.each([
    ['held', 'part.a.must', hold('part.a.must'), 'pass'],
    ['a broken MUST', 'part.a.must', breakRow('part.a.must'), 'fail'],
    ['a broken SHOULD', 'part.a.should', breakRow('part.a.should'), 'warn'],
    ['a broken MAY is never against a target', 'part.a.may', breakRow('part.a.may'), 'inconclusive: prerequisite'],
    ['nothing observed', 'part.a.must', () => {}, 'inconclusive: prerequisite'],
    ['seen once where twice is needed', 'part.a.twice', hold('part.a.twice'), 'inconclusive: prerequisite'],
    ['no key', 'part.a.key', () => {}, 'inconclusive: missing_key'],
    ['no trigger', 'part.a.trigger', () => {}, 'inconclusive: missing_trigger'],
    ['no medium', 'part.a.media', () => {}, 'inconclusive: missing_media'],
    ['nothing that we can cause', 'part.a.passive', () => {}, 'inconclusive: passive'],
    ['a row of the full tier', 'part.a.full', () => {}, 'inconclusive: tier'],
    ['an untestable row', 'part.a.untestable', () => {}, 'inconclusive: passive'],
  ])('%s', (_, id, build, expected) => {
    expect(verdictOf(run(build), id)).toBe(expected)
  })

  test('an ability that the profile declares away makes its rows not applicable, whatever was seen', () => {
    const away = { ...planned, profile: { base_url: 'x', abilities: { video: false } } }
    expect(verdictOf(run(breakRow('part.a.video'), away), 'part.a.video')).toBe('not_applicable')
  })

  test('a row that is newer than the release is judged, and counts for nothing', () => {
    const results = run((trace) => {
      hold('part.a.must')(trace)
      breakRow('part.a.newer')(trace)
    })
    expect(results.unscored).toMatchObject([{ id: 'part.a.newer', verdict: 'fail' }])
    expect(verdictOf(results, 'part.a.newer')).toBe('none')
    expect(results.summary.fail).toBe(0)
    expect(results.conformant).not.toBe(false)
  })

  test('no row passes in a run in which nothing was ever created', () => {
    const results = run((trace) => {
      trace.claim(
        'part.a.must',
        say.accepted(trace.rest('list-avatar-sessions', { body: { code: 0, message: '', data: {} } })),
      )
    })
    expect(verdictOf(results, 'part.a.must')).toBe('inconclusive: prerequisite')
  })

  test('one fixed answer to every create creates nothing', () => {
    const results = run((trace) => {
      const first = trace.created('same', 'k1')
      trace.created('same', 'k2')
      trace.claim('part.a.must', say.accepted(first))
    })
    expect(verdictOf(results, 'part.a.must')).toBe('inconclusive: prerequisite')
  })

  test('what was made once proves nothing where creates of another kind all get one answer', () => {
    const world = (trace: TraceBuilder): number =>
      trace.rest('create-world-session', { body: { code: 0, message: 'ok', data: { session_id: 'w' } } })
    const build = (ids: readonly string[]) => (trace: TraceBuilder) => {
      for (const [index, id] of ids.entries()) trace.created(id, `k${index}`)
      trace.claim('part.a.must', say.accepted(world(trace)))
    }
    expect(verdictOf(run(build(['same', 'same'])), 'part.a.must')).toBe('inconclusive: prerequisite')
    expect(verdictOf(run(build(['one', 'other'])), 'part.a.must')).toBe('pass')
    expect(verdictOf(run(build([])), 'part.a.must')).toBe('pass')
  })

  test('a claim whose given does not hold is unobserved under the code that it names', () => {
    const given = (code: 'prerequisite' | 'model_choice') => (trace: TraceBuilder) => {
      const good = trace.created('s', 'k')
      const bad = trace.rest('get-avatar-session', { body: { code: 20005, message: 'no' } })
      trace.claim('part.a.must', say.accepted(good), { given: [say.accepted(bad)], given_code: code })
    }
    expect(verdictOf(run(given('model_choice')), 'part.a.must')).toBe('inconclusive: model_choice')
    expect(verdictOf(run(given('prerequisite')), 'part.a.must')).toBe('inconclusive: prerequisite')
  })

  test('a row of which the tier leaves out a part is open for the tier', () => {
    const skipped = [{ scenario: 'part.rest', proves: ['part.a.twice'], why: 'tier' as const }]
    const results = run(hold('part.a.twice'), { ...planned, skipped })
    expect(verdictOf(results, 'part.a.twice')).toBe('inconclusive: tier')
  })

  test.each([
    ['tier', 'inconclusive: tier'],
    ['missing_key', 'inconclusive: prerequisite'],
  ] as const)('what a walk did not happen upon, while its own scenario was left out: %s', (why, verdict) => {
    const skipped = [{ scenario: 'part.rest', proves: ['part.a.must'], why }]
    expect(verdictOf(run(hold('part.a.should'), { ...planned, skipped }), 'part.a.must')).toBe(verdict)
  })

  test('one breach among many observations fails the row', () => {
    const results = run((trace) => {
      hold('part.a.must')(trace)
      breakRow('part.a.must')(trace)
    })
    expect(verdictOf(results, 'part.a.must')).toBe('fail')
  })
})

describe('waivers', () => {
  const waiving = (expires: string, id = 'part.a.must'): Partial<HeaderEntry> => ({
    ...planned,
    profile: { base_url: 'x', expected_failures: [{ id, reason: 'r', owner: 'o', expires }] },
  })

  test.each([
    ['a failure that is listed', breakRow('part.a.must'), waiving('2026-01-15'), 'waived', {}],
    ['one day too late', breakRow('part.a.must'), waiving('2026-01-14'), 'fail', { expired: ['part.a.must'] }],
    ['a row that passes', hold('part.a.must'), waiving('2027-01-01'), 'pass', { stale: ['part.a.must'] }],
    [
      'a row that nobody knows',
      hold('part.a.must'),
      waiving('2027-01-01', 'part.a.gone'),
      'pass',
      { unknown: ['part.a.gone'] },
    ],
  ])('%s', (_, build, header, verdict, waivers) => {
    const results = run(build, header)
    expect(verdictOf(results, 'part.a.must')).toBe(verdict)
    expect(results.waivers).toEqual({ stale: [], expired: [], unknown: [], ...waivers })
    if (Object.keys(waivers).length > 0) expect(results.conformant).toBe(false)
  })
})

describe('the conclusion', () => {
  const only = (id: string): Partial<HeaderEntry> => ({ ...planned, only: [id] })

  test.each([
    ['all pass', hold('part.a.must'), only('part.a.must'), true, []],
    ['a fail', breakRow('part.a.must'), only('part.a.must'), false, []],
    ['only a warn', (trace: TraceBuilder) => breakRow('part.a.should')(trace), only('part.a.should'), null, []],
    ['an open MUST', hold('part.a.should'), { ...planned, only: ['part'] }, null, []],
    [
      'a planned scenario that never ran',
      hold('part.a.must'),
      { ...only('part.a.must'), manifest: [...(planned.manifest ?? []), { scenario: 'part.lost', proves: [] }] },
      null,
      ['scenario part.lost was planned and never ran'],
    ],
  ])('%s', (_, build, header, conformant, mistakes) => {
    const results = run(build, header)
    expect(results.conformant).toBe(conformant)
    expect(results.harness_errors.map(({ message }) => message)).toEqual(mistakes)
  })

  test('what we cannot cause does not stand in the way of conformance', () => {
    const results = run(hold('part.a.must'), { ...planned, only: ['part.a.must', 'part.a.passive', 'part.a.key'] })
    expect(results.conformant).toBe(true)
  })

  test('a truncated trace leaves it open', () => {
    const trace = new TraceBuilder(only('part.a.must'))
    hold('part.a.must')(trace)
    const results = judge({ entries: trace.entries, truncated: true, sha256: 'sum' }, register, [])
    expect([results.conformant, results.run.outcome]).toEqual([null, 'truncated'])
  })

  test('an interrupted run says so, whatever was found', () => {
    const trace = new TraceBuilder(only('part.a.must'))
    breakRow('part.a.must')(trace)
    trace.add({ kind: 'end', t: 9_000, outcome: 'interrupted' })
    const results = judge({ entries: trace.entries, truncated: false, sha256: 'sum' }, register, [])
    expect([results.conformant, results.run.outcome]).toEqual([null, 'interrupted'])
  })
})

describe('rules', () => {
  test('a rule that throws is our mistake and never the target’s', () => {
    const rule: Rule = {
      id: 'bad',
      proves: [],
      judge: () => {
        throw new Error('oh')
      },
    }
    const results = run(hold('part.a.must'), planned, [rule])
    expect(results.harness_errors.map((one) => one.message)).toEqual(['rule bad threw: oh'])
    expect(results.conformant).toBeNull()
  })

  test('a claim about an unknown requirement is our mistake', () => {
    const results = run((trace) => void trace.claim('part.a.gone', say.accepted(trace.created())))
    expect([results.conformant, results.harness_errors.length]).toEqual([null, 1])
  })

  test('choices are reported and never judged', () => {
    const rule: Rule = {
      id: 'see',
      proves: [],
      judge: (_, report) => {
        report.saw('part.a.choice', '404', 3)
        report.saw('part.a.choice', '200', 4)
      },
    }
    expect(run(hold('part.a.must'), planned, [rule]).choices).toEqual([
      { id: 'part.a.choice', section: '7', observed: ['200', '404'], evidence: [3, 4] },
    ])
  })
})

test('traffic counts what was written to a socket, by key', () => {
  const results = run((trace) => {
    trace.created('s', 'k')
    trace.created('s', 'k')
    trace.rest('list-avatar-sessions', 'refused')
    trace.rest('list-avatar-sessions', 'timeout', {}, 'capped')
  })
  expect(results.traffic).toMatchObject({
    rest_requests: 3,
    sessions_created: 1,
    by_key: { primary: { rest_requests: 2, sessions_created: 1 }, capped: { rest_requests: 1, sessions_created: 0 } },
  })
})

test('a trace of another register is not judged', () => {
  expect(() => run(() => {}, { register: 'other' })).toThrow(/another register/)
})
