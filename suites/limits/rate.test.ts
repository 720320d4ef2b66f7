import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { choices } from './choices.rules.ts'
import { otherKeys, pauses } from './pause.rules.ts'
import { rate } from './rate.rules.ts'

const api = 'limits.api-key-rate'
const [below, exceeding, reads, creates] = [
  `${api}.below-limit-admitted`,
  `${api}.exceeding-refused`,
  `${api}.counts-reads`,
  `${api}.counts-creates`,
]
const truthful = 'errors.code-10008.retry-after-truthful'
const limit = 10

const profile = {
  base_url: 'https://target.example',
  keys: { primary: 'KEY' },
  limits: { rate_limited: { requests_per_minute: limit } },
}

/** Requests of one key; `ok` and `no` take a millisecond each. */
class Story {
  readonly trace: TraceBuilder

  constructor(header: ConstructorParameters<typeof TraceBuilder>[0] = {}) {
    this.trace = new TraceBuilder({ profile, ...header })
  }

  ok(count = 1, operation = 'list-avatar-sessions', key = 'rate_limited'): this {
    for (let place = 0; place < count; place += 1) {
      this.trace.rest(operation, { body: { code: 0, message: '', data: { session_id: `s${place}` } } }, {}, key)
    }
    return this
  }

  no(after = '5', operation = 'list-avatar-sessions', key = 'rate_limited'): this {
    const headers = { 'retry-after': after, date: 'Sun, 06 Nov 1994 08:49:30 GMT' }
    this.trace.rest(operation, { status: 429, headers, body: { code: 10008, message: 'no' } }, {}, key)
    return this
  }

  pass(ms: number): this {
    this.trace.pass(ms)
    return this
  }

  said(...rules: readonly Parameters<typeof saidOf>[0][number][]): ReadonlySet<string> {
    return saidOf(rules, this.trace)
  }
}

describe('the limit of a key', () => {
  test('lists that get through beside gets that are refused are not counted', () => {
    const story = new Story().ok(limit, 'get-avatar-session').no('5', 'get-avatar-session')
    expect(story.ok(2 * limit + 2).said(rate)).toContain(`broken ${reads}`)
  })

  test('a refusal after as many requests as allowed is right', () => {
    const all = new Story().ok(limit).no().said(rate)
    for (const row of [exceeding, 'errors.code-10008.rate-exceeded', below, reads]) expect(all).toContain(`held ${row}`)
    expect(all).toContain(`saw ${api}.window: ${limit} requests in the minute before the first 10008`)
    expect([...all].join()).not.toContain('broken')
  })

  test('a refusal that comes early once may be due to others', () => {
    const early = (quiet: number) =>
      new Story()
        .pass(quiet)
        .ok(limit - 1)
        .no()
        .said(rate)
    expect(early(0)).toContain(`unobserved ${below}`)
    expect(early(130_000)).toContain(`unobserved ${below}`)
  })

  test('what comes early again, after as many requests, is no work of others', () => {
    const rounds = (first: number, second: number) =>
      new Story().ok(first).no().pass(130_000).ok(second).no().said(rate)
    expect(rounds(limit - 1, limit - 1)).toContain(`broken ${below}`)
    expect(rounds(limit - 1, limit - 6)).toContain(`unobserved ${below}`)
    expect(rounds(1, 1)).toContain(`unobserved ${below}`)
  })

  test('a later round that goes well shows that somebody else had used the key', () => {
    const all = new Story().pass(130_000).ok(3).no().pass(130_000).ok(limit).said(rate)
    expect(all).toContain(`held ${below}`)
    expect(all).not.toContain(`broken ${below}`)
  })

  test('refusals that follow a refusal are no new round', () => {
    const all = new Story().pass(130_000).ok(limit).no().pass(30_000).no().said(rate)
    expect(all).not.toContain(`broken ${below}`)
  })

  test('no refusal at twice the limit in a minute is wrong', () => {
    const all = new Story().ok(2 * limit + 2).said(rate)
    for (const row of [exceeding, 'errors.code-10008.rate-exceeded', reads]) expect(all).toContain(`broken ${row}`)
  })

  test('twice the limit in more than a minute is fine', () => {
    const story = new Story()
    for (let place = 0; place < 2 * limit + 2; place += 1) story.ok().pass(3_500)
    expect([...story.said(rate)].join()).not.toContain('broken')
  })

  /** Reads are refused in a row. */
  const shut = (story: Story): Story => Array.from({ length: 5 }).reduce<Story>((told) => told.no(), story)

  test('creates that get through while reads are refused do not count', () => {
    const all = shut(new Story().ok(limit)).ok(3, 'create-avatar-session').no().said(rate)
    expect(all).toContain(`broken ${creates}`)
  })

  test('what gets through while reads do, or beside a single refusal, may be counted on another node', () => {
    const single = new Story().ok(limit).no().ok(3, 'create-avatar-session').no().said(rate)
    const mixed = shut(new Story().ok(limit)).ok(3, 'create-avatar-session').ok(3).no().said(rate)
    for (const all of [single, mixed]) expect(all).not.toContain(`broken ${creates}`)
  })

  test.each([
    ['counts-characters', 'list-characters'],
    ['counts-voices', 'list-voices'],
    ['counts-worlds', 'create-world-session'],
  ])('%s', (row, operation) => {
    const [through, refused] = [new Story(), new Story()]
    expect(shut(through.ok(limit)).ok(3, operation).no().said(rate)).toContain(`broken ${api}.${row}`)
    const all = refused.ok(limit).no().ok(1, operation).no('5', operation).said(rate)
    expect(all).toContain(`held ${api}.${row}`)
    expect([...all].join()).not.toContain('broken')
  })

  test('one create may use what the limit gave back', () => {
    const all = new Story().ok(limit).no().ok(1, 'create-avatar-session').no('5', 'create-avatar-session').said(rate)
    expect(all).toContain(`held ${creates}`)
    expect(all).not.toContain(`broken ${creates}`)
  })

  test('a burst may be given back in a burst once it is a minute old', () => {
    const aged = (pause: number) => shut(new Story().ok(7).pass(pause).ok(3)).pass(10).ok(3, 'create-avatar-session')
    expect(aged(59_980).no().said(rate)).not.toContain(`broken ${creates}`)
    expect(aged(50_000).no().said(rate)).toContain(`broken ${creates}`)
  })

  test('another key’s refusals are not judged by this limit', () => {
    expect(new Story().no('5', 'list-avatar-sessions', 'primary').said(rate).size).toBe(0)
  })
})

describe('Retry-After', () => {
  test('a request that has waited and is admitted bears it out', () => {
    const all = new Story().ok(limit).no('5').pass(6_100).ok().said(pauses)
    expect([...all].toSorted()).toEqual([`held ${truthful}`, `held ${api}.recovers`])
  })

  test('it is borne out beside a request whose connection was gone after the wait', () => {
    const story = new Story().ok(limit).no('5').pass(6_100)
    story.trace.rest('list-avatar-sessions', 'reset', {}, 'rate_limited')
    expect(story.ok().said(pauses)).toContain(`held ${truthful}`)
  })

  test('the date of the answer counts for a date', () => {
    const all = new Story().no('Sun, 06 Nov 1994 08:49:35 GMT').pass(6_100).ok().said(pauses)
    expect(all).toContain(`held ${truthful}`)
  })

  test('an admission before the time shows only that the key recovers', () => {
    expect([...new Story().no('5').pass(2_000).ok().said(pauses)]).toEqual([`held ${api}.recovers`])
  })

  const waited = (times: number, story = new Story(), admitted = limit) => {
    story.ok(admitted).no('1')
    for (let round = 0; round < times; round += 1) story.pass(2_100).no('1')
    return story
  }

  test('two refusals after the wait may be somebody else’s doing; three are a lie when they come twice', () => {
    expect([...waited(2).said(pauses)]).toEqual([])
    expect([...waited(3).said(pauses)]).toEqual([`unobserved ${truthful}`])
    expect(waited(3, waited(3).pass(130_000)).said(pauses)).toContain(`broken ${truthful}`)
    expect(waited(2, waited(3).pass(130_000)).said(pauses)).not.toContain(`broken ${truthful}`)
  })

  test('in a recording others may use the key whom it does not show', () => {
    const recorded = new Story({ recording: 'watch' })
    expect(waited(3, waited(3, recorded).pass(130_000)).said(pauses)).not.toContain(`broken ${truthful}`)
  })

  test('nobody lied while somebody else had a part in exhausting the key, even if it was a small one', () => {
    const story = waited(3, new Story(), limit - 1).pass(130_000)
    expect(waited(3, story, limit - 1).said(pauses)).not.toContain(`broken ${truthful}`)
  })

  test('two rows of lies soon after each other may have the same cause', () => {
    expect(waited(3, waited(3).pass(50_000)).said(pauses)).not.toContain(`broken ${truthful}`)
  })

  test('a key that is exhausted without our doing is used by others', () => {
    const story = new Story().ok(limit).no('1').pass(61_000)
    for (let round = 0; round < 4; round += 1) story.no('1').pass(2_100)
    expect(story.said(pauses)).not.toContain(`broken ${truthful}`)
  })

  test('nobody is blamed for a key that was refused early', () => {
    const story = new Story().ok(2)
    for (let sent = 2; sent < limit; sent += 1) story.no('1')
    for (let round = 0; round < 3; round += 1) story.pass(2_100).no('1')
    expect([...story.said(pauses)]).toEqual([])
  })

  test('refusals before the time are no lie', () => {
    expect(new Story().no('5').no('5').no('5').no('5').said(pauses).size).toBe(0)
  })

  test('who says no time cannot lie about it', () => {
    expect(new Story().no('soon').pass(9_000).no('soon').pass(9_000).no('soon').said(pauses).size).toBe(0)
  })

  test('a key that is refused after a quiet minute does not recover', () => {
    const once = waited(3).pass(70_000).no('1')
    expect(once.said(pauses)).toContain(`unobserved ${api}.recovers`)
    expect(once.pass(70_000).no('1').said(pauses)).toContain(`broken ${api}.recovers`)
  })

  test('a row of lies after a quiet minute tells as much as another quiet minute, a shorter one does not', () => {
    const after = (times: number) => {
      const story = waited(3).pass(70_000).no('1')
      for (let round = 0; round < times; round += 1) story.pass(2_100).no('1')
      return story.said(pauses)
    }
    for (const row of [truthful, `${api}.recovers`]) {
      expect(after(2)).not.toContain(`broken ${row}`)
      expect(after(3)).toContain(`broken ${row}`)
    }
  })

  test('whoever is admitted behind a quiet minute and some more waits is not taken for one that never recovers', () => {
    const story = waited(3).pass(70_000).no('1').pass(2_100).no('1').pass(2_100).ok()
    expect(story.said(pauses)).toContain(`held ${api}.recovers`)
    expect([...waited(2, story, limit).said(pauses)].filter((one) => one.startsWith('broken'))).toEqual([])
  })
})

describe('another key', () => {
  const row = `${api}.per-key`
  const primary = ['list-avatar-sessions', 'primary'] as const

  test('is admitted while one is exhausted', () => {
    expect([
      ...new Story()
        .no()
        .ok(3, ...primary)
        .no()
        .said(otherKeys),
    ]).toEqual([`held ${row}`])
  })

  test('one request may be one that the limit gave back', () => {
    expect([
      ...new Story()
        .no()
        .ok(1, ...primary)
        .no()
        .said(otherKeys),
    ]).toEqual([`unobserved ${row}`])
  })

  test('is refused with it twice: the limit is shared', () => {
    const round = (story: Story) => {
      story.no()
      for (let place = 0; place < 3; place += 1) story.no('5', ...primary)
      return story.no().pass(20_000)
    }
    expect([...round(new Story()).said(otherKeys)]).toEqual([`unobserved ${row}`])
    expect([...round(round(new Story())).said(otherKeys)]).toEqual([`broken ${row}`])
    const busy = new Story().no('5', ...primary).pass(20_000)
    expect([...round(round(busy)).said(otherKeys)]).toEqual([`unobserved ${row}`])
  })
})

test('the cap as it was met, and whether closing holds a place, are told', () => {
  const trace = new TraceBuilder()
  const create = (json: object) =>
    void trace.rest('create-avatar-session', { body: JSON.parse(JSON.stringify(json)) }, {}, 'capped')
  const full = { code: 30006, message: 'no' }
  create({ code: 0, message: '', data: { session_id: 'a' } })
  create({ code: 0, message: '', data: { session_id: 'b' } })
  create(full)
  trace.rest('close-avatar-session', { body: { code: 0, message: '', data: { status: 'closing' } } }, {}, 'capped')
  create(full)
  expect([...saidOf([choices], trace)]).toEqual([
    'saw limits.concurrency.cap-value: 2',
    'saw limits.concurrency.closing-holds-slot: yes',
  ])
})
