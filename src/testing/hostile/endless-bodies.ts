import { gzipSync } from 'node:zlib'
import type { HostileTarget } from './hostile-target.ts'
import { byteByByte, drip, pour } from './pour.ts'
import { type Handler, serveRest } from './serve.ts'

/** Size of the giant body, and the least that the bomb expands to, in bytes. */
export const GIANT = 2 ** 30
const BLOCK = Buffer.alloc(64 * 1024, 'a')
const OPENING = '{"code":0,"message":"'
const JSON_HEAD = { 'content-type': 'application/json' }

/** Writes `size` bytes in blocks: an opening, then letters. */
export function letters(opening: string, size: number): () => Uint8Array | undefined {
  let left = size
  return () => {
    if (left <= 0) return undefined
    const chunk = left === size ? Buffer.from(opening) : BLOCK.subarray(0, Math.min(left, BLOCK.length))
    left -= chunk.length
    return chunk
  }
}

const giant: Handler = (_request, response) => {
  response.writeHead(200, { ...JSON_HEAD, 'content-length': GIANT })
  pour(response, letters(OPENING, GIANT))
}

const MEMBER_SIZE = 2 ** 24

/** Gzip members may follow each other; each of these 16 KiB becomes 16 MiB. */
function makeBomb(): Buffer {
  const first = Buffer.alloc(MEMBER_SIZE, 'a')
  first.write(OPENING)
  const rest = gzipSync(Buffer.alloc(MEMBER_SIZE, 'a'))
  return Buffer.concat([gzipSync(first), ...Array.from({ length: GIANT / MEMBER_SIZE }, () => rest)])
}

let bomb: Buffer | undefined

const explode: Handler = (_request, response) => {
  bomb ??= makeBomb()
  response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip', 'content-length': bomb.length })
  response.end(bomb)
}

const endless: Handler = (_request, response) => {
  response.writeHead(200, JSON_HEAD)
  pour(response, letters(OPENING, Infinity))
}

const HALF_SECOND = 500

const dribble: Handler = (_request, response) => {
  response.writeHead(200, JSON_HEAD)
  drip(response, HALF_SECOND, byteByByte('{'))
}

const half: Handler = (_request, response) => {
  response.writeHead(200, { ...JSON_HEAD, 'content-length': 4096 })
  response.write(`${OPENING}only half of this is tr`, () => response.socket?.end())
}

const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </never>; rel=preload\r\n\r\n'.repeat(100)

const informational: Handler = (_request, response) => {
  if (response.socket !== null) drip(response.socket, 10, () => HINTS)
}

const silent: Handler = () => {}

function row(id: string, description: string, answer: Handler): HostileTarget {
  return { id, description, start: () => serveRest(answer), expect: { envelope: false, sessions: false } }
}

/** Answers that are too long, too slow, or never whole. */
export const endlessBodies: HostileTarget[] = [
  row('giant-body', 'a body of 1 GiB', giant),
  row('gzip-bomb', 'a small gzip body that expands to more than 1 GiB', explode),
  row('endless-chunks', 'a chunked body that never ends', endless),
  row('dribbled-body', 'one byte every half second, for ever', dribble),
  row('half-body', 'half of the declared body, then the connection closes', half),
  row('informational-flood', '10,000 answers of 103 a second and never a final one', informational),
  row('silent', 'accepts requests and says nothing', silent),
]
