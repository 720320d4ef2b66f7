import { createHash } from 'node:crypto'
import type { Json } from '#trace/json'
import type { FormPart } from '../types.ts'

/** A form as it is sent, and as a trace shows it. */
export interface Form {
  readonly content_type: string
  readonly bytes: Uint8Array
  readonly shown: Json
}

/** Writes parts as `multipart/form-data` (RFC 7578). */
export function writeForm(parts: readonly FormPart[], word: string): Form {
  const contents = parts.map((part) => bytesOf(part.data))
  const boundary = freeBoundary(contents, `greenroom-${word}`)
  const pieces = parts.flatMap((part, place) => [
    Buffer.from(`--${boundary}\r\n${partHead(part)}\r\n`),
    contents[place] ?? Buffer.alloc(0),
    Buffer.from('\r\n'),
  ])
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    shown: { multipart: parts.map((part, place) => shownPart(part, contents[place] ?? Buffer.alloc(0))) },
  }
}

/** Without a copy: a file may have megabytes. */
function bytesOf(data: FormPart['data']): Buffer {
  return typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

function freeBoundary(contents: readonly Buffer[], boundary: string): string {
  return contents.some((content) => content.includes(boundary)) ? freeBoundary(contents, `${boundary}x`) : boundary
}

function partHead(part: FormPart): string {
  const filename = part.filename === undefined ? '' : `; filename="${quoted(part.filename)}"`
  const type = part.content_type === undefined ? '' : `Content-Type: ${part.content_type}\r\n`
  return `Content-Disposition: form-data; name="${quoted(part.name)}"${filename}\r\n${type}`
}

function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function shownPart(part: FormPart, content: Buffer): Json {
  return {
    name: part.name,
    ...(part.filename === undefined ? {} : { filename: part.filename }),
    ...(part.content_type === undefined ? {} : { content_type: part.content_type }),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}
