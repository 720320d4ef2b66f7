import { Busboy } from '@fastify/busboy'

/** One part of a `multipart/form-data` body. */
export interface FormPart {
  /** Undefined where the part names no field. */
  readonly name: string | undefined
  readonly filename: string | undefined
  /** The type that its own header declares, in lower case; `text/plain` where it has none. */
  readonly declared: string
  readonly bytes: Buffer
}

const isMultipart = (contentType: string): boolean => /^\s*multipart\/form-data\b/iu.test(contentType)

/**
 * The parts of a form, in their order.
 * @returns undefined where the body is no well-formed form: another content type, no boundary, an end that is missing.
 */
export async function readForm(body: Buffer, contentType: string): Promise<FormPart[] | undefined> {
  if (!isMultipart(contentType)) return undefined
  try {
    return await parse(body, contentType)
  } catch {
    return undefined
  }
}

function parse(body: Buffer, contentType: string): Promise<FormPart[]> {
  // Every part counts as a file, so that all arrive as the bytes that they are.
  const parser = new Busboy({ headers: { 'content-type': contentType }, isPartAFile: () => true })
  const parts: Promise<FormPart>[] = []
  return new Promise((resolve, reject) => {
    parser.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, declared) => {
      const part = read(stream).then((bytes) => ({ name, filename: filename || undefined, declared, bytes }))
      part.catch(reject)
      parts.push(part)
    })
    parser.on('error', reject)
    parser.on('finish', () => resolve(Promise.all(parts)))
    parser.end(body)
  })
}

async function read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
