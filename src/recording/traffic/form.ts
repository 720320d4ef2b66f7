import { createHash } from 'node:crypto'
import { Busboy } from '@fastify/busboy'
import type { Json } from '#trace/json'

/** What a trace shows of a `multipart/form-data` body: of each part its name, type, length and digest; undefined for no form. */
export async function shownForm(bytes: Uint8Array, contentType: string): Promise<Json | undefined> {
  if (!/^\s*multipart\/form-data\b/i.test(contentType)) return undefined
  try {
    return { multipart: await parse(bytes, contentType) }
  } catch {
    return undefined
  }
}

function parse(bytes: Uint8Array, contentType: string): Promise<Json[]> {
  // Every part counts as a file, so that all arrive as the bytes that they are.
  const parser = new Busboy({ headers: { 'content-type': contentType }, isPartAFile: () => true })
  const parts: Promise<Json>[] = []
  return new Promise((resolve, reject) => {
    parser.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, type: string) => {
      const part = shownPart(stream, { name, filename, type })
      part.catch(reject)
      parts.push(part)
    })
    parser.on('error', reject)
    parser.on('finish', () => resolve(Promise.all(parts)))
    parser.end(Buffer.from(bytes))
  })
}

interface PartHead {
  readonly name: string | undefined
  readonly filename: string | undefined
  readonly type: string
}

async function shownPart(stream: AsyncIterable<Buffer>, { name, filename, type }: PartHead): Promise<Json> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const piece of stream) {
    digest.update(piece)
    bytes += piece.length
  }
  const isFile = filename !== undefined && filename !== ''
  return {
    name: name ?? '',
    ...(isFile ? { filename } : {}),
    ...(isFile || type !== 'text/plain' ? { content_type: type } : {}),
    bytes,
    sha256: digest.digest('hex'),
  }
}
