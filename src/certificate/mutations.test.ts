import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type SmallCertificate, smallCertificate } from '#testing/small-certificate'
import { CertificateTrouble } from './trouble.ts'
import { verifyCertificate } from './verify.ts'

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
