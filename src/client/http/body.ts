import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { measure } from '#trace/depth'
import type { ResponseEntry } from '#trace/entry'
import { type Json, parsed } from '#trace/json'

/** A body as it can be read. */
export interface ReadBody {
  readonly body?: Json
  /** All of the text, where it is no JSON that we take. */
  readonly text?: string
  readonly problem?: Exclude<ResponseEntry['problem'], undefined>
  /** What it takes to hold, see {@link measure}. */
  readonly weight: number
}

/**
 * Reads a body as JSON: UTF-8 taken strictly, nesting and number of values bounded before anything parses it.
 *
 * @param heaviest the most that a body may weigh
 * @returns undefined for a body that is too heavy
 */
export function readBody(bytes: Uint8Array, heaviest: number): ReadBody | undefined {
  if (bytes.length === 0) return { problem: 'empty', weight: 0 }
  const text = strictText(bytes)
  if (text === undefined) return { text: new TextDecoder().decode(bytes), problem: 'not-utf8', weight: bytes.length }
  const { deep, weight } = measure(text)
  if (deep) return { text, problem: 'too-deep', weight: bytes.length }
  if (weight > heaviest) return undefined
  const body = parsed(text)
  return body === undefined ? { text, problem: 'not-json', weight: bytes.length } : { body, weight }
}

/** @returns undefined for bytes that are no UTF-8. A byte order mark is kept: it is no JSON. */
function strictText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

type Decoder = (bytes: Uint8Array, bound: number) => Promise<Uint8Array>

const decoders: { readonly [coding: string]: Decoder } = {
  gzip: bounded(gunzip),
  'x-gzip': bounded(gunzip),
  br: bounded(brotliDecompress),
  deflate: (bytes, bound) => ((bytes[0] ?? 0) % 16 === 8 ? bounded(inflate) : bounded(inflateRaw))(bytes, bound),
}

const mostCodings = 3

/** The names in a `Content-Encoding`, in the order in which they were put on. */
export function codingsIn(header = ''): readonly string[] {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

/**
 * Takes off the content codings that we said to accept; others leave the bytes as they are.
 *
 * @throws Error of zlib; its code is `ERR_BUFFER_TOO_LARGE` as soon as more than `bound` bytes come out.
 */
export async function decode(bytes: Uint8Array, codings: string | undefined, bound: number): Promise<Uint8Array> {
  const names = codingsIn(codings)
  if (bytes.length === 0 || names.length > mostCodings) return bytes
  let plain = bytes
  for (const name of names.toReversed()) {
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    if (decoder === undefined) return plain
    plain = await decoder(plain, bound)
  }
  return plain
}

type Unzip = typeof gunzip | typeof brotliDecompress | typeof inflate

function bounded(unzip: Unzip): Decoder {
  const run = promisify(unzip) as (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>
  return (bytes, bound) => run(bytes, { maxOutputLength: bound })
}
