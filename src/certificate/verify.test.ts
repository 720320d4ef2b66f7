import { beforeAll, expect, test } from 'vitest'
import type { RequirementResult, Results } from '#judge/results'
import { findFlaw, linkedLine } from '#trace/chain'
import { type SmallCertificate, smallCertificate, stated } from '#testing/small-certificate'
import { seal } from './envelope.ts'
import { makeKeys, readSigner, readVerifier } from './keys.ts'
import { makeCertificate, type RecordedRun } from './make.ts'
import type { Statement } from './statement.ts'
import { CertificateTrouble } from './trouble.ts'
import { verifyCertificate, type VerifyOptions } from './verify.ts'

let small: SmallCertificate
let first: RecordedRun
let second: RecordedRun
let genuine: Buffer

beforeAll(async () => {
  small = await smallCertificate()
  ;[first, second] = [small.recorded(small.traces[0]), small.recorded(small.traces[1])]
  genuine = small.certify([first, second])
})

/** Why a certificate is not accepted. */
function troubleOf(bytes: Buffer | string, more: Partial<VerifyOptions> = {}): string {
  try {
    verifyCertificate(Buffer.from(bytes), { ...small.options, ...more })
  } catch (error) {
    if (error instanceof CertificateTrouble) return `${error.kind}: ${error.message}`
    throw error
  }
  return 'genuine'
}

/** The same run with other lines in its trace, judged as they are. */
function withLines(run: RecordedRun, change: (lines: readonly string[]) => readonly string[]): RecordedRun {
  const lines = change(run.trace.toString().split('\n').slice(0, -1))
  return small.recorded(Buffer.from(lines.map((line) => `${line}\n`).join('')))
}

/** The same lines with links made anew, as only whoever edits on purpose does. */
function linkedAnew(lines: readonly string[]): readonly string[] {
  let before = ''
  return lines.map((line) => {
    const { line: whole, link } = linkedLine(before, line.replace(/,"link":"[^"]*"\}$/, '}'))
    before = link
    return whole
  })
}

function withRows(
  results: Results,
  change: (rows: readonly RequirementResult[]) => readonly RequirementResult[],
): Results {
  return { ...results, requirements: change(results.requirements) }
}

/** The line that an exchange begins with, the third one of a run, and that of its answer. */
function exchangeIn(lines: readonly string[]): readonly number[] {
  const exchange = [...new Set(lines.map((line) => /^\{"kind":"request".*?"exchange":(\d+)/.exec(line)?.[1]))].filter(
    Boolean,
  )[2]
  return lines.flatMap((line, place) =>
    new RegExp(`^\\{"kind":"re.*?"exchange":${exchange},`).test(line) ? [place] : [],
  )
}

test('a certificate is genuine, with its key and without, and says what its runs showed', () => {
  const { predicate, keyGiven } = verifyCertificate(genuine, small.options)
  expect(keyGiven).toBe(false)
  // What one run left open the other may have judged.
  expect(predicate.summary['pass']).toBeGreaterThanOrEqual(first.results.summary.pass)
  expect(predicate.runs.map(({ seed }) => seed)).toEqual([1, 2])
  expect(predicate.runs.flatMap(({ moments }) => moments)).toHaveLength(4)
  expect(verifyCertificate(genuine, { ...small.options, key: small.key }).keyGiven).toBe(true)
})

test('a changed byte of what was signed is told', () => {
  const at = genuine.indexOf('"payload": "') + 4_000
  const changed = Buffer.from(genuine).fill(genuine[at] === 65 ? 66 : 65, at, at + 1)
  expect(troubleOf(changed)).toMatch(/^not-genuine: was changed: (?:its signature|it does not name)/)
  expect(troubleOf(changed, { key: small.key })).toBe(
    'not-genuine: was changed: its signature does not fit what it says',
  )
})

test('a changed byte of a trace is told by its file', () => {
  const at = genuine.indexOf('"run-2/trace.ndjson": "') + 5_000
  const changed = Buffer.from(genuine).fill(genuine[at] === 65 ? 66 : 65, at, at + 1)
  expect(troubleOf(changed)).toBe(
    'not-genuine: was changed: the digest of run-2/trace.ndjson is not the one that was signed',
  )
})

test('a cut certificate is told', () => {
  expect(troubleOf(genuine.subarray(0, -500))).toBe('not-genuine: was cut: its end is missing')
})

test('another key is told, whichever side it is on', () => {
  const other = readVerifier(makeKeys().public_key)
  expect(troubleOf(genuine, { key: other })).toMatch(
    /^not-genuine: was signed by another key: its key is sha256:[0-9a-f]{64}, the one that was given is sha256:/,
  )
})

test('swapped traces are told', () => {
  const file = JSON.parse(genuine.toString())
  const { 'run-1/trace.ndjson': one, 'run-2/trace.ndjson': two } = file.files
  const swapped = { ...file, files: { ...file.files, 'run-1/trace.ndjson': two, 'run-2/trace.ndjson': one } }
  expect(troubleOf(`${JSON.stringify(swapped, undefined, 2)}\n`)).toBe(
    'not-genuine: was changed: in the place of run-1/trace.ndjson stands run-2/trace.ndjson',
  )
})

test('a carried file that is gone, and one too many, are told', () => {
  const { files, ...file } = JSON.parse(genuine.toString())
  const { 'profile.json': _, ...fewer } = files
  const written = (changed: object) => `${JSON.stringify({ ...file, files: changed }, undefined, 2)}\n`
  expect(troubleOf(written(fewer))).toBe('not-genuine: lacks profile.json')
  expect(troubleOf(written({ ...files, more: '' }))).toBe('not-genuine: holds "more", which nobody signed')
})

test('what is no certificate, or one of a later format, is told apart from one that was changed', () => {
  expect(troubleOf('{}')).toBe(
    'no-certificate: is no certificate of Greenroom: it does not begin as one; give certificate.json of "greenroom certify"',
  )
  expect(troubleOf(JSON.stringify(JSON.parse(genuine.toString())))).toBe(
    'not-genuine: was written anew by another program: it holds only as it was issued, byte for byte',
  )
  expect(troubleOf(genuine.toString().replace('certificate/1', 'certificate/2'))).toMatch(
    /^no-certificate: is of format greenroom\.certificate\/2, and this Greenroom reads greenroom\.certificate\/1 only/,
  )
})

test('a pass that was forged without the key is told: edited results, digests made anew', () => {
  const forged = withRows(first.results, (rows) => rows.map((row) => ({ ...row, verdict: 'pass', reason: '' })))
  const key = readSigner(makeKeys().private_key, undefined)
  const certificate = makeCertificate({
    runs: [{ ...first, results: forged }, second],
    register: small.options.register,
    stated: { issued: '', environment: { node: '', platform: '', arch: '', os: '' } },
    key,
  })
  expect(troubleOf(certificate, { key: small.key })).toMatch(/^not-genuine: was signed by another key/)
  // Its statement put into the envelope of the genuine one.
  const { envelope } = JSON.parse(certificate)
  const file = JSON.parse(certificate)
  const signatures = JSON.parse(genuine.toString()).envelope.signatures
  const patched = `${JSON.stringify({ ...file, envelope: { ...envelope, signatures } }, undefined, 2)}\n`
  expect(troubleOf(patched, { key: small.key })).toBe(
    'not-genuine: was changed: its signature does not fit what it says',
  )
})

test('a pass that was forged with the key is told by judging anew', () => {
  const open = first.results.requirements.find(({ verdict }) => verdict === 'inconclusive')
  const results = withRows(first.results, (rows) =>
    rows.map((row) => (row.id === open?.id ? { ...row, verdict: 'pass' } : row)),
  )
  expect(troubleOf(small.certify([{ ...first, results }, second]))).toBe(
    `not-genuine: was changed: run-1/results.json says pass of ${open?.id}, and its trace shows inconclusive`,
  )
})

test('a row that was removed with the key is told by its id', () => {
  const [gone] = second.results.requirements
  const results = withRows(second.results, (rows) => rows.slice(1))
  expect(troubleOf(small.certify([first, { ...second, results }]))).toBe(
    `not-genuine: was changed: the row ${gone?.id} is missing in run-2/results.json`,
  )
})

test('an exchange that was removed with the key is told by the chain', () => {
  const changed = withLines(first, (lines) => lines.filter((_, place) => !exchangeIn(lines).includes(place)))
  const [place = 0] = exchangeIn(first.trace.toString().split('\n'))
  expect(troubleOf(small.certify([changed, second]))).toBe(
    `not-genuine: was changed: line ${place + 1} of run-1/trace.ndjson does not follow from the line before it; something was changed, cut out, put in or moved there`,
  )
})

test('two lines that were swapped with the key are told by the chain', () => {
  const changed = withLines(first, (lines) => {
    const [one = 0] = exchangeIn(lines)
    return lines.with(one, lines[one + 1] ?? '').with(one + 1, lines[one] ?? '')
  })
  expect(findFlaw(changed.trace.toString())?.what).toBe('link')
  expect(troubleOf(small.certify([changed, second]))).toMatch(
    /^not-genuine: was changed: line \d+ of run-1\/trace\.ndjson does not follow/,
  )
})

test('a trace whose end was cut off with the key is told', () => {
  expect(troubleOf(small.certify([first, withLines(second, (lines) => lines.slice(0, -1))]))).toBe(
    'not-genuine: was cut: run-2/trace.ndjson has no end',
  )
})

test('one run that was put in twice certifies nothing, nor does one under another name with the same seed', () => {
  const why = 'not-genuine: does not certify anything: both runs are the same one, or have the same seed'
  expect(troubleOf(small.certify([first, first]))).toBe(why)
  const renamed = withLines(first, (lines) =>
    linkedAnew(lines.with(0, (lines[0] ?? '').replace(/"run":"\w+"/, '"run":"another"'))),
  )
  expect(troubleOf(small.certify([first, renamed]))).toBe(why)
})

test('two runs of different targets certify nothing', () => {
  const moved = withLines(second, (lines) =>
    linkedAnew(lines.with(0, (lines[0] ?? '').replace(/"base_url":"[^"]*"/, '"base_url":"http://127.0.0.1:1"'))),
  )
  expect(troubleOf(small.certify([first, moved]))).toMatch(
    /^not-genuine: does not certify anything: the runs are of two targets, http:\S+ and http:\/\/127\.0\.0\.1:1$/,
  )
})

test('a run that is too small, or lacks a key, certifies nothing', () => {
  expect(troubleOf(genuine, { tier: 'full' })).toBe(
    'not-genuine: does not certify anything: run-1 is of tier smoke, and tier full is asked for',
  )
  const poorer = (run: RecordedRun): RecordedRun =>
    withLines(run, (lines) => linkedAnew(lines.with(0, (lines[0] ?? '').replace(/"capped",/, ''))))
  expect(troubleOf(small.certify([poorer(first), poorer(second)]))).toMatch(
    /^not-genuine: does not certify anything: run-1 is not whole: keys\.capped has no value/,
  )
})

test('a run that left something out certifies nothing', () => {
  const left = '"skipped":[{"scenario":"voices.library","proves":[],"why":"budget"},'
  const short = withLines(first, (lines) => linkedAnew(lines.with(0, (lines[0] ?? '').replace('"skipped":[', left))))
  expect(troubleOf(small.certify([short, second]))).toBe(
    'not-genuine: does not certify anything: run-1 left out the scenario voices.library (budget)',
  )
})

/** The certificate with another Statement, signed with its own key. */
function saying(change: (statement: Statement) => object): string {
  const file = JSON.parse(genuine.toString())
  const statement: Statement = JSON.parse(Buffer.from(file.envelope.payload, 'base64').toString())
  const envelope = seal(JSON.stringify(change(statement)), small.key)
  return `${JSON.stringify({ ...file, envelope }, undefined, 2)}\n`
}

test('what is signed and not of the form of a certificate is told by its place', () => {
  const { key } = small
  const form = 'not-genuine: does not certify anything: what it says is not of the form of a certificate: '
  expect(
    troubleOf(
      saying(() => []),
      { key },
    ),
  ).toMatch(form)
  expect(
    troubleOf(saying((statement) => ({ ...statement, predicate: { ...statement.predicate, runs: undefined } }))),
  ).toBe(`${form}/predicate: expected a field "runs", got nothing`)
  expect(
    troubleOf(saying((statement) => ({ ...statement, predicate: { ...statement.predicate, also: true } }))),
  ).toMatch(`${form}/predicate: expected`)
})

test('a Statement of a later version is told apart from one that is not genuine', () => {
  expect(
    troubleOf(saying((statement) => ({ ...statement, predicateType: 'https://greenroom.example/certificate/2' }))),
  ).toMatch(/^no-certificate: says "https:\/\/greenroom\.example\/certificate\/2", and this Greenroom reads/)
})

test('what whoever signs says beyond what the traces show is told', () => {
  expect(
    troubleOf(
      saying((statement) => ({ ...statement, predicate: { ...statement.predicate, summary: { pass: 9_999 } } })),
    ),
  ).toBe('not-genuine: says more than its traces show: predicate.summary')
  expect(troubleOf(saying((statement) => ({ ...statement, subject: statement.subject.slice(1) })))).toBe(
    'not-genuine: says more than its traces show: its subjects',
  )
})

test('what whoever signs adds to what the traces show is told', () => {
  const register = { ...small.options.register, release: { ...small.options.register.release, version: '9.9.9' } }
  const certificate = makeCertificate({ runs: [first, second], register, stated, key: small.key })
  expect(troubleOf(certificate)).toBe('not-genuine: was changed: requirements.json is not the requirement set 1.0.0')
})

test('a certificate of another version of Greenroom is left to that version', () => {
  const unlike: Partial<VerifyOptions> = {
    greenroom: '99.0.0',
    judge: (trace) => ({ ...small.options.judge(trace), conformant: null }),
  }
  expect(troubleOf(genuine, unlike)).toMatch(
    /^not-judgeable: was made by greenroom \S+, whose traces greenroom 99\.0\.0 judges otherwise/,
  )
})
