import { beforeAll, expect, test } from 'vitest'
import { type SmallCertificate, smallCertificate } from '#testing/small-certificate'
import { linkedLine } from '#trace/chain'
import type { HeaderEntry } from '#trace/entry'
import { CertificateTrouble } from './trouble.ts'
import { unproven } from './unproven.ts'
import { verifyCertificate } from './verify.ts'

let small: SmallCertificate

beforeAll(async () => {
  small = await smallCertificate()
})

/** Why a certificate of two such traces, signed with the key, is not accepted. */
function troubleOf(one: Buffer, other: Buffer): string {
  const certificate = small.certify([small.recorded(one), small.recorded(other)])
  try {
    verifyCertificate(certificate, { ...small.options, key: small.key })
  } catch (error) {
    if (error instanceof CertificateTrouble) return `${error.kind}: ${error.message}`
    throw error
  }
  return 'genuine'
}

/** The trace with another header, without the lines of a scenario, and with links made anew. */
function forged(trace: Buffer, change: (header: HeaderEntry) => object, gone?: string): Buffer {
  const [head = '', ...lines] = trace.toString().split('\n').slice(0, -1)
  const { link: _, ...header } = JSON.parse(head)
  const kept = lines.filter((line) => gone === undefined || JSON.parse(line).scenario !== gone)
  let before = ''
  const linked = [JSON.stringify(change(header)), ...kept].map((line) => {
    const whole = linkedLine(before, line.replace(/,"link":"[^"]*"\}$/, '}'))
    before = whole.link
    return `${whole.line}\n`
  })
  return Buffer.from(linked.join(''))
}

test.each(['not_applicable', 'missing_trigger', 'tier'] as const)(
  'a scenario that was cut out of both runs is told, whatever the header says of it: %s',
  (why) => {
    const gone = 'control-channel.first-words'
    const without = (trace: Buffer): Buffer =>
      forged(
        trace,
        (header) => {
          const cut = header.manifest.filter(({ scenario }) => scenario === gone)
          const skipped = [...header.skipped, ...cut.map((one) => ({ ...one, why }))]
          return { ...header, manifest: header.manifest.filter((one) => !cut.includes(one)), skipped }
        },
        gone,
      )
    expect(troubleOf(without(small.traces[0]), without(small.traces[1]))).toMatch(
      /^not-genuine: does not certify anything: run-1 is not whole: what it says of the scenario control-channel\.first-words is not what greenroom/,
    )
  },
)

test('a copy of a run with another name, seed and date is no second run', () => {
  const [one] = small.traces
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const copy = forged(one, (header) => ({ ...header, run: 'anotherrun', seed: 77, date: later }))
  expect(troubleOf(one, copy)).toBe(
    'not-genuine: does not certify anything: one run is a copy of the other, its secrets have the same stand-ins',
  )
})

test('a trace with a second header or end, as no run writes it, certifies nothing', () => {
  const [one, other] = small.traces
  const lines = one.toString().split('\n').slice(0, -1)
  const twice = (line = '') =>
    forged(Buffer.from([...lines.slice(0, -1), line, lines.at(-1)].join('\n') + '\n'), (head) => head)
  const why = (what: string) =>
    `not-genuine: does not certify anything: run-1/trace.ndjson has more than one ${what}, as no run writes it`
  expect(troubleOf(twice(lines.at(-1)), other)).toBe(why('end'))
  expect(troubleOf(twice(lines[0]?.replace('"t":0,', `"t":${JSON.parse(lines.at(-1) ?? '').t},`)), other)).toBe(
    why('header'),
  )
})

test('what a vendor can bring about is said to be unproven: when it was issued, what is declared away, a long patience', () => {
  const given = (issued: string, more: object = {}): string => {
    const withMore = (trace: Buffer): Buffer =>
      forged(trace, ({ profile, ...header }) => ({ ...header, profile: { ...(profile as object), ...more } }))
    const [one, two] = [withMore(small.traces[0]), withMore(small.traces[1])]
    const certificate = small.certify([small.recorded(one), small.recorded(two)], { issued })
    return unproven(verifyCertificate(certificate, small.options)).join('\n')
  }
  const later = new Date(Date.now() + 60_000).toISOString()
  expect(given('2001-01-01T00:00:00.000Z')).toContain(
    'That it was issued at 2001-01-01T00:00:00.000Z: its runs were over',
  )
  const plain = given(later)
  expect(plain).not.toContain('That it was issued at')
  expect(plain).not.toContain('lag_ms')
  expect(plain).toContain('That these were its only runs')
  expect(given(later, { timeouts: { lag_ms: 600_000 } })).toContain('(lag_ms 600000 instead of 2000)')
})
