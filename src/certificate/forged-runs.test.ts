import { beforeAll, expect, test } from 'vitest'
import { type SmallCertificate, smallCertificate } from '#testing/small-certificate'
import { linkedLine } from '#trace/chain'
import type { HeaderEntry } from '#trace/entry'
import { CertificateTrouble } from './trouble.ts'
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
