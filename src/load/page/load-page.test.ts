import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Drawn } from '#page/charts'
import { number } from '#page/numbers'
import { inBrowser, looks } from '#testing/browser/in-browser'
import { packageRoot } from '#spec/package-root'
import { nastyText } from '#testing/hostile/nasty-text'
import type { LoadReport } from '../load-report.ts'
import { summaryText } from '../results/summary-text.ts'
import { loadPage } from './load-page.ts'
import { eventsOverTime, rateOverTime } from './over-time.ts'
import { madeUpNights, madeUpReport } from './testing/made-up.ts'
import { samplePage } from './testing/sample-page.ts'

const page = loadPage(madeUpReport(), madeUpNights())

test('a page with 90 nights is at most 1.5 MB', () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(1_500_000)
})

test('the committed sample is the page as it is made today (npm run sample:load)', () => {
  expect(samplePage() === readFileSync(join(packageRoot(), 'reports', 'sample-load.html'), 'utf8')).toBe(true)
})

test('the policy allows exactly the scripts and styles that are in the page', () => {
  const digests = (element: string): string[] =>
    [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`script-src ${digests('script').join(' ')};`)
  expect(policy).toContain(`style-src ${digests('style').join(' ')};`)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(page).not.toMatch(/\s(?:style|on\w+)="/)
})

test('events a second are those of the time in which iterations began, however long the last ones go on', () => {
  const report = madeUpReport()
  const events = report.timeline.reduce((sum, window) => sum + window.events, 0)
  const rate = { ...report.rate, achieved_per_s: 10 }
  const late = { ...report, rate, tally: { ...report.tally, iterations: { begun: 6_000 } }, duration_ms: 1_200_000 }
  expect(loadPage(late, [])).toContain(`${number(events / 600)} a second`)
})

test('the verdict and its reasons come before anything else', () => {
  const main = page.indexOf('<main')
  for (const said of [
    'control-throughput, average',
    '</span>fail',
    'first_delta took 79.8 ms at p95',
    '38 conversations were cut off',
  ])
    expect(page.indexOf(said)).toBeLessThan(main)
})

test.each(['objectives', 'rate', 'latency', 'sessions', 'errors', 'knee', 'samples', 'nights', 'generator'])(
  'the page has a section %s',
  (id) => {
    expect(page).toContain(`<section id="${id}"`)
  },
)

test('every chart has its numbers in a table', () => {
  const figures = [...page.matchAll(/<figure.*?<\/figure>/gs)].map(([figure]) => figure)
  expect(figures.length).toBeGreaterThan(10)
  expect(figures.filter((figure) => !figure.includes('<table>'))).toEqual([])
})

test('where the keys allow less than the workload wants, the page says so', () => {
  const rate = { target_per_s: 3, wanted_per_s: 11.5, achieved_per_s: 3, dropped: 0 }
  expect(loadPage(madeUpReport({ rate }), [])).toContain(
    'of 3 asked for: the keys allow no more of the 11.5 that the workload wants',
  )
})

test('a broken requirement is named with its conversation and line', () => {
  expect(page).toContain('control-channel.text-delta.concatenate-to-final-text')
  expect(page).toContain('samples.ndjson:1204')
})

test('what changed is said first, and marked', () => {
  const nights = page.slice(page.indexOf('<section id="nights"'))
  expect(nights).toContain('Got worse: first_delta p50, first_delta p95, first_delta p99.')
  expect(nights).toMatch(/create p50.*?2026-09-2\d: −1\d/s)
  expect(page).toMatch(/"marks":\[\{"at":\d+,"label":"\+[^"]*","tone":"bad"/)
  expect(page).toMatch(/"marks":\[\{"at":\d+,"label":"−[^"]*","tone":"good"/)
})

test('as long as too few nights show what is usual, none is called no worse', () => {
  const shown = loadPage(madeUpReport(), madeUpNights(10))
  expect(shown).toContain('Nothing is said of better or worse yet: 1 more night has to show what is usual.')
  expect(shown).not.toMatch(/Nothing got worse|>as usual</)
  expect(loadPage(madeUpReport(), madeUpNights(11))).not.toContain('yet')
})

test('an invalid night is not compared', () => {
  const nights = madeUpNights(20).map((night, index) =>
    index === 19 ? { ...night, verdict: 'invalid' as const } : night,
  )
  const shown = loadPage(madeUpReport({ verdict: 'invalid' }), nights)
  expect(shown).toContain('Tonight is not compared')
  expect(shown).not.toContain('Tonight against the median')
})

test('a run without history, samples, objectives or timeline has a page too', () => {
  const empty: Partial<LoadReport> = {
    timeline: [],
    objectives: [],
    requirements: [],
    errors: [],
    latencies: {},
    counts: {},
    reasons: [],
  }
  const bare = loadPage(
    madeUpReport({ ...empty, samples: { conversations: 0, entries: 0, file: 'samples.ndjson' } }),
    [],
  )
  expect(bare).not.toContain('<section id="nights"')
  expect(bare.slice(bare.indexOf('<body'), bare.indexOf('</main>'))).not.toMatch(/NaN|undefined|Infinity/)
})

test('a scenario that runs once has no rate; what it judged itself and the cap that it found stand on its page', () => {
  const once = loadPage(
    madeUpReport({
      scenario: 'concurrency-limit',
      counts: { cap_found: { '4': 1 }, laws_held: { 'place-not-freed': 3 }, laws_broken: { 'cap-exceeded': 1 } },
    }),
    [],
  )
  const body = once.slice(once.indexOf('<body'), once.indexOf('</main>'))
  expect(body).not.toContain('<section id="rate"')
  expect(body).not.toContain('asked for')
  expect(body).toContain('by no schedule: it runs once')
  expect(body).toContain('sessions at a time, as found')
  expect(body).toContain('with the refusals that it is there for')
  expect(body.indexOf('cap-exceeded')).toBeLessThan(body.indexOf('place-not-freed'))
  expect(body).toContain('a closed session frees its place')
})

test('of a run whose k6 was killed, nobody knows how many iterations were asked for', () => {
  const report = madeUpReport({ rate: { target_per_s: 0, achieved_per_s: 0.4, dropped: 0 } })
  const shown = loadPage(report, [])
  expect(shown).toContain('how many were asked for is not known')
  expect(shown).toContain('>0.4 iterations a second began')
  expect(summaryText(report)).toContain('(0.4 a second, 0 dropped)')
})

test('where no control connection was opened, the page says so in place of an empty chart', () => {
  const timeline = madeUpReport().timeline.map((window) => ({ ...window, events: 0, active_sessions: 0 }))
  const shown = loadPage(madeUpReport({ scenario: 'uploads', timeline, counts: { upgrades: { opened: 0 } } }), [])
  expect(shown).toContain('No control connection was opened')
  expect(shown).toContain('No session was open at the end of any window')
  expect(shown).not.toMatch(/id="(?:events|sessions)-chart/)
})

test.each([
  [1, '1 window of 5 seconds makes no chart'],
  [2, '2 windows of 5 seconds make no chart'],
])('too few windows make no chart: %i', (count, says) => {
  const shown = loadPage(madeUpReport({ timeline: madeUpReport().timeline.slice(0, count) }), [])
  expect(shown).toContain(says)
  expect(shown).not.toMatch(/id="(?:events-chart|sessions-chart|rate-chart|latency-p95)"/)
})

test('a day of windows makes a page that still opens', () => {
  const [window] = madeUpReport().timeline
  const timeline = Array.from({ length: 17_280 }, (_, index) => ({
    ...(window as NonNullable<typeof window>),
    at_s: index * 5,
  }))
  const long = loadPage(madeUpReport({ timeline }), [])
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(1_000_000)
  expect(long).toContain('Each point is the worst of several windows')
})

test('where windows were joined, each point is a rate; the first and the last window, which the run fills in part, have none', () => {
  const [first] = madeUpReport().timeline
  const window = { ...(first as NonNullable<typeof first>), iterations: 50, events: 100 }
  const timeline = Array.from({ length: 241 }, (_, index) => ({ ...window, at_s: index * 5 }))
  const report = madeUpReport({ timeline })
  const valuesOf = ({ charts }: Drawn) => new Set(charts.flatMap(({ lines }) => lines[0]?.values))
  expect([valuesOf(rateOverTime(report)), valuesOf(eventsOverTime(report))]).toEqual([
    new Set([null, 10]),
    new Set([null, 20]),
  ])
})

test('the rate ends with the last iteration, unless some that were due never began, and its axis with the run', () => {
  const [first] = madeUpReport().timeline
  const timeline = [3, 6, 2, 0].map((iterations, index) => ({ ...first, iterations, at_s: index * 5 }))
  const shown = (dropped: number) =>
    rateOverTime(
      madeUpReport({
        timeline: timeline as LoadReport['timeline'],
        rate: { target_per_s: 1, achieved_per_s: 1, dropped },
      }),
    ).charts[0]
  expect([shown(0), shown(1)].map((chart) => chart?.x)).toEqual([
    [0, 5, 10, 15],
    [0, 5, 10, 15],
  ])
  expect([shown(0), shown(1)].map((chart) => chart?.lines[0]?.values)).toEqual([
    [null, 1.2, null, null],
    [null, 1.2, 0.4, null],
  ])
})

const nastyTexts = [nastyText, 'x'.repeat(1_000_000), '"><img src=x onerror=alert(1)>\u202e']

/** A report in which every text is one that a target could have sent. */
function hostile(text: string): LoadReport {
  const report = madeUpReport()
  return {
    ...report,
    reasons: [text],
    errors: [{ phase: text, http: null, code: text, count: 1 }],
    latencies: { [text]: Object.values(report.latencies)[0] as NonNullable<LoadReport['latencies'][string]> },
    timeline: report.timeline.map((window) => ({ ...window, latencies: { [text]: { p50: 1, p95: 2, p99: 3 } } })),
    counts: { [text]: { [text]: 1 } },
    requirements: report.requirements.map((row) => ({
      ...row,
      reason: text,
      evidence: [{ conversation: text, line: 1 }],
    })),
  }
}

test.each(nastyTexts.map((text) => [text.slice(0, 40), text] as const))('%j… stays text', (_, text) => {
  const shown = loadPage(hostile(text), [])
  expect(shown).not.toMatch(/<script>alert|<img|[\u202a-\u202e\u2066-\u2069]/)
  expect(shown.match(/<script/g)?.length).toBe(page.match(/<script/g)?.length)
})

inBrowser((open) => {
  const short = loadPage(madeUpReport({}, 24), madeUpNights(16))

  test.each([
    ...looks.map((look) => ({ ...look, nights: 16, shown: short })),
    { width: 400, theme: 'dark' as const, nights: 90, shown: page },
  ])(
    '$width px, $theme, $nights nights: axe finds nothing, nothing is requested, nothing sticks out',
    async ({ shown, ...look }) => {
      const opened = await open(shown, look)
      expect(await opened.violations()).toEqual([])
      expect(opened.requests).toEqual([])
      expect(opened.complaints).toEqual([])
      expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )

  test('every chart that is shown is drawn, again in the other theme, and the buttons change which', async () => {
    const opened = await open(page, { width: 1_400, theme: 'light' })
    const undrawn = `[...document.querySelectorAll('figure:not([hidden]) .chart')].filter((one) => one.querySelector('canvas') === null).length`
    expect(await opened.evaluate(undrawn)).toBe(0)
    await opened.evaluate(`document.getElementById('theme').click()`)
    expect(await opened.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe('rgb(20, 23, 28)')
    expect(await opened.evaluate(undrawn)).toBe(0)
    await opened.evaluate(`document.querySelector('[data-shows="latency-p99-figure"]').click()`)
    expect(await opened.evaluate(`document.getElementById('latency-p95-figure').hidden`)).toBe(true)
    expect(await opened.evaluate(undrawn)).toBe(0)
    expect(opened.complaints).toEqual([])
  })

  test('no text of a target becomes an element or runs', async () => {
    for (const text of nastyTexts) {
      const opened = await open(loadPage(hostile(text), []), { width: 400, theme: 'dark' })
      expect(await opened.evaluate(`document.querySelectorAll('img, iframe, svg, object').length`)).toBe(0)
      expect(opened.complaints).toEqual([])
      expect(opened.requests).toEqual([])
      expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})

test('a window counts for its five seconds, wherever the run began in it', () => {
  const report = madeUpReport()
  const [first] = report.timeline
  if (first === undefined) throw new Error('the report has no window')
  const alone = loadPage({ ...report, timeline: [{ ...first, at_s: 5.2, events: 80 }] }, [])
  expect(alone).toContain('At most 16 events a second')
  const early = [
    { ...first, at_s: 0, events: 80 },
    { ...first, at_s: 0.3, events: 80 },
  ]
  expect(loadPage({ ...report, timeline: early }, [])).toContain('At most 16 events a second')
})
