import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { type SmallCertificate, smallCertificate } from '#testing/small-certificate'
import { seal } from './envelope.ts'
import { carriedNames } from './file.ts'
import { CertificateTrouble } from './trouble.ts'
import { verifyCertificate, type VerifyOptions } from './verify.ts'

let small: SmallCertificate
let genuine: Buffer

beforeAll(async () => {
  small = await smallCertificate()
  const [first, second] = small.traces
  genuine = small.certify([small.recorded(first), small.recorded(second)])
  verifyCertificate(genuine, small.options)
})

/** A place in the file: anywhere, or among the names and digests, which are a small part of it. */
const place = fc.oneof(
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.double({ min: 0, max: 0.01, noNaN: true }),
)
const length = fc.integer({ min: 1, max: 400 })

type Mutation = (bytes: Buffer) => Buffer

const at = (bytes: Buffer, share: number): number => Math.floor(share * bytes.length)

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(
    ([share, value]): Mutation =>
      (bytes) => {
        const changed = Buffer.from(bytes)
        changed[at(bytes, share)] = value
        return changed
      },
  ),
  place.map(
    (share): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, share)),
  ),
  fc.tuple(place, length).map(
    ([share, count]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, share)), bytes.subarray(at(bytes, share) + count)]),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 20 })).map(
    ([share, added]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, share)), added, bytes.subarray(at(bytes, share))]),
  ),
  fc.tuple(place, fc.constantFrom(' ', '\n', '=', 'A', '"')).map(
    ([share, added]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, share)), Buffer.from(added), bytes.subarray(at(bytes, share))]),
  ),
  fc.tuple(place, place, length).map(
    ([one, other, count]): Mutation =>
      (bytes) => {
        const changed = Buffer.from(bytes)
        bytes.copy(changed, at(bytes, one), at(bytes, other), at(bytes, other) + count)
        return changed
      },
  ),
)

test('whatever is changed in a certificate is noticed', () => {
  fc.assert(
    fc.property(mutation, (mutate) => {
      const changed = mutate(genuine)
      fc.pre(!changed.equals(genuine))
      expect(() => verifyCertificate(changed, small.options)).toThrow(CertificateTrouble)
    }),
    { numRuns: 1_000, seed: 21 },
  )
})

/** Every text and number in a value, by its path. */
function leavesIn(value: unknown, path: readonly string[] = []): readonly { readonly path: readonly string[] }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => leavesIn(inside, [...path, name]))
}

/** The value with another leaf at a path. */
function withLeaf(value: unknown, [name, ...rest]: readonly string[], change: (leaf: string) => unknown): unknown {
  if (name === undefined) return typeof value === 'number' ? value + 1 : change(String(value))
  if (Array.isArray(value))
    return value.map((one, number) => (String(number) === name ? withLeaf(one, rest, change) : one))
  const members = value as { readonly [name: string]: unknown }
  return { ...members, [name]: withLeaf(members[name], rest, change) }
}

const written = (file: unknown): Buffer => Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`)

test('a change of any member of the file is noticed', () => {
  const file: unknown = JSON.parse(genuine.toString())
  const members = leavesIn(file)
  expect(members.map(({ path }) => path.join('/')).toSorted()).toEqual([
    'envelope/payload',
    'envelope/payloadType',
    'envelope/signatures/0/keyid',
    'envelope/signatures/0/sig',
    ...carriedNames.map((name) => `files/${name}`).toSorted(),
    'format',
  ])
  for (const { path } of members) {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom('A', 'b', '0', '+', '/', '=', '-'),
        (share, letter) => {
          const changed = withLeaf(file, path, (text) => {
            const spot = Math.floor(share * text.length)
            return `${text.slice(0, spot)}${letter}${text.slice(spot + 1)}`
          })
          fc.pre(!written(changed).equals(genuine))
          expect(() => verifyCertificate(written(changed), small.options)).toThrow(CertificateTrouble)
        },
      ),
      { numRuns: 25, seed: 21 },
    )
  }
})

test('whoever has the key can change nothing that follows from the traces', () => {
  const file = JSON.parse(genuine.toString())
  const statement: unknown = JSON.parse(Buffer.from(file.envelope.payload, 'base64').toString())
  const signed = (said: unknown): Buffer => written({ ...file, envelope: seal(JSON.stringify(said), small.key) })
  const known = new Map<string, Results>()
  const judge: VerifyOptions['judge'] = (trace) => {
    const results = known.get(trace.sha256) ?? small.options.judge(trace)
    known.set(trace.sha256, results)
    return results
  }
  const options = { ...small.options, judge, key: small.key }
  verifyCertificate(signed(statement), options)
  // Who issued it, when, and on which machine is the word of whoever signs.
  const stated = /^predicate\/(?:issued|issued_by|environment)(?:\/|$)/
  const leaves = leavesIn(statement).filter(({ path }) => !stated.test(path.join('/')))
  const kinds = Map.groupBy(leaves, ({ path }) => path.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('/'))
  expect(kinds.size).toBeGreaterThan(30)
  for (const [first] of kinds.values()) {
    const changed = withLeaf(
      statement,
      first?.path ?? [],
      (text) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`,
    )
    expect(() => verifyCertificate(signed(changed), options)).toThrow(CertificateTrouble)
  }
})
