import { encode } from 'uqr'
import { beforeAll, expect, test } from 'vitest'
import { inBrowser, looks } from '#testing/browser/in-browser'
import { nastyText } from '#testing/hostile/nasty-text'
import { smallCertificate } from '#testing/small-certificate'
import { type Verified, verifyCertificate } from '../verify.ts'
import { certificatePage } from './certificate-page.ts'

const textOf = (id: string): string => `The sentence of ${id}.`
let verified: Verified
let page: string

beforeAll(async () => {
  const small = await smallCertificate()
  const runs = [small.recorded(small.traces[0]), small.recorded(small.traces[1])] as const
  verified = verifyCertificate(small.certify(runs), small.options)
  page = certificatePage(verified, 'certificate.json', textOf)
})

test('who, what, when, which requirement set, which abilities and what was not judged stand on the page', () => {
  const { predicate } = verified
  expect(page).toContain('Example &lt;Vendor&gt;')
  expect(page).toContain(`<h1>${predicate.target.base_url}</h1>`)
  expect(page).toContain('issued 2026-01-01 00:00 UTC')
  expect(page).toContain('interface 1.0.0, requirement set 1.0.0')
  expect(page).toContain('Offered and judged: audio_files, characters')
  expect(page).toContain(predicate.not_judged[0]?.id)
  for (const { id } of predicate.runs) expect(page).toContain(id)
})

test('what was declared away stands in the first sentence, and the counts say of how many', () => {
  const { predicate } = verified
  const abilities = { offered: ['voices'], declared_away: ['video'] }
  const changed = { ...predicate, target: { ...predicate.target, abilities } }
  const shown = certificatePage({ ...verified, predicate: changed }, 'certificate.json', textOf)
  expect(shown).toMatch(/<strong>In two complete runs .* Declared away, and not judged: video\.<\/strong>/)
  expect(page).toMatch(/<strong>In two complete runs .* requirement set 1\.0\.0\.<\/strong>/)
  expect(page).toContain('of 1,761 requirements')
  expect(page).toContain('124 untestable, 0 not applicable')
})

test('a SHOULD that was not kept is called so', () => {
  const row = { id: 'a.b.c', section: '1', level: 'should', verdict: 'warn', reason: 'expected a, got b' }
  const { predicate } = verified
  expect(page).toContain('kept every requirement that was judged')
  const changed = { ...predicate, summary: { ...predicate.summary, warn: 1 }, warned: [row as never] }
  const shown = certificatePage({ ...verified, predicate: changed }, 'certificate.json', textOf)
  expect(shown).toContain('kept every MUST that was judged')
  expect(shown).toContain('1 SHOULD was not, see “Warned”.')
  expect(shown).toContain('The sentence of a.b.c.')
})

test('the digest stands there as text and as a QR code of the same text', () => {
  const text = `sha256:${verified.digest}`
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const picture = /<svg [^>]*viewBox="0 0 (\d+) \d+"[^>]*>.*?<path d="([^"]*)"/.exec(page)
  const dark = new Set(picture?.[2]?.match(/M\d+ \d+/g))
  expect(page).toContain(text)
  expect(Number(picture?.[1])).toBe(size)
  expect(dark.size).toBe(data.flat().filter(Boolean).length)
})

test('whatever the signer says is text on the page', () => {
  const shown = certificatePage(
    { ...verified, predicate: { ...verified.predicate, issued_by: nastyText } },
    'c.json',
    textOf,
  )
  expect(shown).not.toContain(nastyText)
  expect(shown.match(/<script/g)?.length).toBe(page.match(/<script/g)?.length)
})

inBrowser((open) => {
  test.each(looks)('$width px, $theme: axe finds nothing, nothing is requested, nothing sticks out', async (look) => {
    const opened = await open(page, look)
    expect(await opened.violations()).toEqual([])
    expect(opened.requests).toEqual([])
    expect(opened.complaints).toEqual([])
    expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
