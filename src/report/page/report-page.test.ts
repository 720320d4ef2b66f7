import { expect, test } from 'vitest'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { indexTrace } from '#judge/trace-index'
import { familyNamed } from '#spec/register'
import { inBrowser, looks } from '#testing/browser/in-browser'
import { handMadeResults, handMadeTrace, hostileText, profile, row } from '#testing/hand-made-results'
import { nastyText } from '#testing/hostile/nasty-text'
import type { Entry } from '#trace/entry'
import { resender } from '../curl.ts'
import { reportPage } from './report-page.ts'
import type { ComparedRun } from './shown-run.ts'

const text = (id: string): string | undefined => register().rows.get(id)?.text

/** The hand-made entries, then thirty exchanges whose answers hold some text. */
const longTrace: readonly Entry[] = [
  ...handMadeTrace,
  ...Array.from({ length: 30 }, (_, place): Entry[] => {
    const [request, response] = handMadeTrace
    if (request?.kind !== 'request' || response?.kind !== 'response')
      throw new Error('the trace begins with an exchange')
    const own = { exchange: place + 2, t: 10 + place }
    return [
      { ...request, ...own },
      { ...response, ...own, body: { code: 0, message: 'word '.repeat(300) } },
    ]
  }).flat(),
]

function pageOf(results: Results, entries: readonly Entry[] = longTrace, others: readonly ComparedRun[] = []): string {
  const index = indexTrace(entries)
  const resend = resender(entries, results.target.base_url, profile)
  return reportPage({ results, trace: { index, resend, name: 'trace.ndjson' }, text }, others)
}

/** Every row of the register; the first `failing` of them broken, each in its own way. */
function wholeResults(failing: number, said = 'code 0 (accepted)'): Results {
  const ids = [...register().rows.keys()]
  const rows = ids.map((id, place) => {
    if (place >= failing)
      return place % 9 === 0
        ? row(id, 'inconclusive', { reason_code: 'tier', reason: 'reached in tier full' })
        : row(id, 'pass')
    const failure = {
      expected: `a rejection of the ${'abcdefghijklmnopqrstuvwxyz'[place % 26]}`,
      got: said,
      evidence: [6, 8 + 2 * place],
      scenario: 'one',
    }
    return row(id, 'fail', { failures: [failure, { ...failure, evidence: [2] }], evidence: [6], reason: said })
  })
  return handMadeResults(rows, {
    choices: [{ id: 'errors.code-20005.http-status', section: '7', observed: ['404'], evidence: [2] }],
  })
}

const [firstId = '', secondId = ''] = register().rows.keys()
const green = pageOf(wholeResults(0))
const red = pageOf(wholeResults(30))

test('with every row and 30 failures a page is at most 2 MB', () => {
  expect(register().rows.size).toBeGreaterThan(1_700)
  expect(Buffer.byteLength(red)).toBeLessThanOrEqual(2_000_000)
})

test('the verdict and why come before anything else', () => {
  expect(red.indexOf('Not conformant: 30 requirements failed.')).toBeLessThan(red.indexOf('<main'))
  expect(green.indexOf('Conformant: ')).toBeLessThan(green.indexOf('<main'))
})

test('what only broke nothing new is not called conformant', () => {
  const waivedBeside = [row(firstId, 'waived'), row(secondId, 'inconclusive', { reason_code: 'prerequisite' })]
  const results = handMadeResults([...waivedBeside, row('voices.a.b', 'pass')], { conformant: null })
  const excused = { failed: new Set<string>(), unjudged: new Set([secondId]) }
  const shown = reportPage({ results, baseline: excused, trace: undefined, text })
  expect(shown).toMatch(/<h1>[^<]*<\/h1><span[^>]*><span[^>]*>✓ <\/span>no new failures</)
  expect(green).toMatch(/<h1>[^<]*<\/h1><span[^>]*><span[^>]*>✓ <\/span>conformant</)
})

test('a failure is told with its sentence, what was expected, what came, its exchange, its frames and two lines to copy', () => {
  const shown = pageOf(
    handMadeResults([
      row(firstId, 'fail', { failures: [{ expected: 'a rejection', got: 'code 0', evidence: [2, 6] }] }),
    ]),
  )
  const cause = shown.slice(shown.indexOf('class="cause'), shown.indexOf('<section id="unjudged"'))
  expect(cause).toContain('<dd>a rejection</dd>')
  expect(cause).toContain('<dd>code 0</dd>')
  expect(cause).toContain('trace.ndjson:2, 6')
  expect(cause).toContain('POST /v1/realtime-avatar/sessions, key primary')
  expect(cause).toContain('HTTP 200')
  expect(cause).toContain('response.create')
  expect(cause).toContain('curl -sS -i -X POST')
  expect(cause).toContain(`npx greenroom check --only ${firstId}`)
  expect(cause.match(/data-copy/g)).toHaveLength(2)
  for (const does of ['Sends again what showed it', 'Checks this requirement alone']) {
    expect(cause).toContain(`<p class="soft">${does}</p>`)
  }
})

test('rows that fail alike are one cause, and those that follow are folded under the first', () => {
  const failure = { expected: 'an object', got: 'an array', evidence: [2] }
  const ids = [...register().rows.keys()].slice(0, 4)
  const shown = pageOf(handMadeResults(ids.map((id) => row(id, 'fail', { failures: [failure] }))))
  expect(shown.match(/class="cause /g)).toHaveLength(1)
  expect(shown).toContain('3 requirements with the same cause')
  expect(red.match(/class="cause /g)).toHaveLength(30)
})

test.each([
  [
    'missing_key',
    'the profile gives no key other_workspace',
    '&quot;other_workspace&quot;: &quot;GR_OTHER_WORKSPACE&quot;',
  ],
  ['missing_trigger', 'the profile gives no trigger tool_call_text', '&quot;tool_call_text&quot;: &quot;…&quot;'],
  ['missing_media', 'the profile gives no medium image_url', '&quot;image_url&quot;: &quot;https://…&quot;'],
  ['tier', 'reached in tier full', '--tier full'],
] as const)('what waits for a %s is told with the line to add', (code, reason, line) => {
  const shown = pageOf(handMadeResults([row(firstId, 'inconclusive', { reason_code: code, reason })]))
  expect(shown).toContain(line)
})

test('every row has a link of its own', () => {
  expect(green.match(/<(?:tr|li) id="/g)).toHaveLength(register().rows.size)
  expect(green).toContain(`<a href="#${secondId}">`)
})

test('a family of one verdict is one line that opens, and else a line a row', () => {
  const languages = familyNamed('voices.clone.language-*-accepted')?.ids ?? []
  const linesOf = (rows: Results['requirements']): number =>
    pageOf(handMadeResults(rows)).match(/<tr[^>]* data-verdict/g)?.length ?? 0
  const passed = languages.map((id) => row(id, 'pass'))
  expect(linesOf(passed)).toBe(1)
  expect(pageOf(handMadeResults(passed))).toContain('voices.clone.language-*-accepted (16)')
  expect(linesOf([...passed.slice(1), row(languages[0] ?? '', 'warn')])).toBe(16)
})

test('the matrix counts what the results count', () => {
  const { summary } = wholeResults(30)
  const all = /<strong>All<\/strong><\/th>(.*?)<\/tr>/s
    .exec(red)?.[1]
    ?.replaceAll(/<[^>]*>|,/g, (found) => (found === ',' ? '' : ' '))
    .trim()
    .split(/\s+/)
  expect(all?.slice(0, 3)).toEqual([summary.pass, summary.fail, '·'].map(String))
  const [open = 0, untestable = 0] = all?.slice(3, 5).map(Number) ?? []
  expect(untestable).toBeGreaterThan(0)
  expect(open + untestable).toBe(summary.inconclusive)
})

test('times of operations and events stand in the page, with the line of the slowest', () => {
  const frame = { kind: 'frame-received', channel: 1, bytes: 1 } as const
  const entries: readonly Entry[] = [
    ...handMadeTrace,
    { ...frame, t: 31, frame: 3, data: { type: 'response.created', response: { id: 'r' } } },
    { ...frame, t: 51, frame: 4, data: { type: 'response.output_text.delta', response_id: 'r' } },
    { ...frame, t: 52, frame: 5, data: { type: 'response.output_text.delta', response_id: 'r' } },
    { ...frame, t: 99, frame: 6, data: { type: 'response.done', response: { id: 'r' } } },
  ]
  const shown = pageOf(handMadeResults([]), entries)
  const latency = shown
    .slice(shown.indexOf('<section id="latency"'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  expect(latency).toContain('create-avatar-session 1 1 ms 1 ms 1 ms 2')
  expect(latency).toContain('response.create → response.created 1 26 ms 26 ms 26 ms 7')
  expect(latency).toContain('response.created → first response.output_text.delta 1 20 ms 20 ms 20 ms 8')
  expect(latency).toContain('response.created → response.done 1 68 ms 68 ms 68 ms 10')
})

test('several results stand side by side, with what they differ in', () => {
  const one = handMadeResults([row(firstId, 'pass'), row(secondId, 'pass')])
  const other = handMadeResults([row(firstId, 'fail'), row(secondId, 'pass')], { run: { ...one.run, id: 'r2' } })
  const shown = pageOf(one, longTrace, [{ results: other, index: undefined }])
  const side = shown.slice(shown.indexOf('<section id="runs"'), shown.indexOf('<section id="unjudged"'))
  expect(side).toContain('2: run r2')
  expect(side).toContain('1 requirement on which they differ')
  expect(side).toContain(firstId)
  expect(side).not.toContain(secondId)
  expect(side).toContain('fewer than two were at hand')
})

test('several results with their traces show how long each let wait', () => {
  const results = handMadeResults([row(firstId, 'pass')])
  const later = longTrace.map((entry) => (entry.kind === 'response' ? { ...entry, t: entry.t + 40 } : entry))
  const shown = pageOf(results, longTrace, [{ results, index: indexTrace(later) }])
  const table = shown.slice(shown.indexOf('Latency, p95: reported, never judged')).split('</table>')[0] ?? ''
  const [before, after] = [...table.matchAll(/([\d.]+) ms/g)].map(([, ms]) => Number(ms))
  expect((after ?? 0) - (before ?? 0)).toBe(40)
})

test('without its trace a run has a page too', () => {
  const shown = reportPage({ results: wholeResults(3), trace: undefined, text })
  expect(shown).toContain('Latency is read from the trace')
  expect(shown).toContain('code 0 (accepted)')
})

test('many things that were left open for one reason are one line that opens', () => {
  const leaked = ['ses_1', 'ses_2', 'ses_3'].map((id) => ({ resource: 'avatar-session', id, reason: 'still there' }))
  const shown = pageOf({ ...wholeResults(0), leaked })
  expect(shown.match(/Left open/g)).toHaveLength(1)
  expect(shown).toContain('<summary>Left open: 3 avatar-sessions (still there)</summary>')
  expect(shown).toContain('<li>ses_3</li>')
})

const nastyTexts = [nastyText, hostileText, 'x'.repeat(1_000_000)]

/** A run of which the target wrote every word. */
function hostilePage(said: string): string {
  const entries = longTrace.map((entry) =>
    entry.kind === 'response' ? { ...entry, body: { code: 0, message: said, [said.slice(0, 200)]: said } } : entry,
  )
  const { target, ...results } = wholeResults(12, said)
  const left = [{ resource: said, id: said, reason: said }]
  const more = {
    target: { ...target, base_url: said },
    leaked: left,
    choices: [{ id: 'a.b', section: said, observed: [said], evidence: [] }],
  }
  return pageOf({ ...results, ...more }, entries)
}

test.each(nastyTexts.map((said) => [said.slice(0, 30), said] as const))('%j… stays text', (_, said) => {
  const shown = hostilePage(said)
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(2_000_000)
  expect(shown).not.toMatch(/<script>alert|<img|[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/u)
  expect(shown.match(/<script/g)?.length).toBe(green.match(/<script/g)?.length)
})

inBrowser((open) => {
  const few = (failing: number): Results => {
    const whole = wholeResults(failing)
    const languages = familyNamed('voices.clone.language-*-accepted')?.ids ?? []
    const rows = [...whole.requirements.slice(0, 60), ...languages.map((id) => row(id, 'pass'))]
    return handMadeResults(rows, { choices: whole.choices })
  }
  const pages = {
    green: pageOf(few(0)),
    'broken in 30 ways': pageOf(few(30)),
    'side by side': pageOf(few(5), longTrace, [{ results: few(0), index: indexTrace(longTrace) }]),
  }

  test.each(looks.flatMap((look) => Object.entries(pages).map(([name, page]) => ({ ...look, name, page }))))(
    '$width px, $theme, $name: axe finds nothing, nothing is requested, nothing sticks out',
    async ({ page, ...look }) => {
      const opened = await open(page, look)
      expect(await opened.violations()).toEqual([])
      expect(opened.requests).toEqual([])
      expect(opened.complaints).toEqual([])
      expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )

  test('the list is searched and filtered, and a link shows its row whatever is filtered', async () => {
    const opened = await open(red, { width: 1_400, theme: 'light' })
    const shown = `[...document.querySelectorAll('section.part tbody tr')].filter((row) => !row.closest('[hidden]')).reduce((sum, row) => sum + Number(row.dataset.rows ?? 1), 0)`
    const settled = `new Promise((done) => setTimeout(done, 300))`
    expect(await opened.evaluate(shown)).toBe(register().rows.size)
    await opened.evaluate(
      `document.querySelectorAll('#filter input[type=checkbox]:not([value=fail])').forEach((box) => box.click()); ${settled}`,
    )
    expect(await opened.evaluate(shown)).toBe(30)
    expect(await opened.evaluate(`document.getElementById('found').textContent`)).toBe('30 requirements')
    await opened.evaluate(
      `{ const search = document.getElementById('search'); search.value = '${firstId}'; search.dispatchEvent(new Event('input', { bubbles: true })) }; ${settled}`,
    )
    expect(await opened.evaluate(`${shown} >= 1 && ${shown} < 30`)).toBe(true)
    const last = [...register().rows.keys()].at(-1) ?? ''
    await opened.evaluate(`location.hash = '${last}'; ${settled}`)
    expect(await opened.evaluate(`document.getElementById('${last}').closest('[hidden]') === null`)).toBe(true)
    const language = familyNamed('voices.clone.language-*-accepted')?.ids[3] ?? ''
    await opened.evaluate(`location.hash = '${language}'; ${settled}`)
    expect(await opened.evaluate(`document.getElementById('${language}').checkVisibility()`)).toBe(true)
    expect(opened.complaints).toEqual([])
  })

  test('everything is reached and opened by the keyboard, and copying is said aloud', async () => {
    const opened = await open(pageOf(few(5)), { width: 1_400, theme: 'dark' })
    await opened.press('Tab')
    expect(await opened.evaluate(`document.activeElement.textContent`)).toBe('Skip to the content')
    await opened.evaluate(`document.querySelector('#cause-4 summary').focus()`)
    await opened.press('Enter')
    expect(await opened.evaluate(`document.getElementById('cause-4').open`)).toBe(true)
    await opened.evaluate(`document.querySelector('[data-copy]').click(); new Promise((done) => setTimeout(done, 300))`)
    expect(await opened.evaluate(`document.getElementById('said').textContent`)).toBe('Copied')
  })

  test('no text of a target becomes an element, runs or sticks out', async () => {
    for (const said of nastyTexts) {
      const opened = await open(hostilePage(said), { width: 400, theme: 'light' })
      expect(await opened.evaluate(`document.querySelectorAll('img, iframe, object').length`)).toBe(0)
      expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(opened.complaints).toEqual([])
      expect(opened.requests).toEqual([])
    }
  })
})
