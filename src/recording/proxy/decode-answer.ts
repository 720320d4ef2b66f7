import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { codingsIn, decode } from '#client/http/body'

const unzstd = promisify(zstdDecompress) as (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
) => Promise<Uint8Array>
const readable = new Set(['gzip', 'x-gzip', 'br', 'deflate', 'zstd'])
const mostCodings = 3

/**
 * Takes off the codings of an answer: a client of its own may ask for more than we do, `zstd` among them.
 *
 * @returns undefined for a coding that we cannot take off
 * @throws Error of zlib; its code is `ERR_BUFFER_TOO_LARGE` as soon as more than `bound` bytes come out
 */
export async function decodeAnswer(
  bytes: Uint8Array,
  codings: string | undefined,
  bound: number,
): Promise<Uint8Array | undefined> {
  const names = codingsIn(codings)
  if (bytes.length === 0) return bytes
  if (names.length > mostCodings || names.some((name) => !readable.has(name))) return undefined
  let plain = bytes
  for (const name of names.toReversed()) {
    plain = name === 'zstd' ? await unzstd(plain, { maxOutputLength: bound }) : await decode(plain, name, bound)
  }
  return plain
}
