import { Busboy } from '@fastify/busboy'
import { Refusal } from '../refusal.ts'

export interface Uploaded {
  /** As the part declares it, without parameters. */
  readonly declared: string
  readonly bytes: Buffer
  readonly tooLarge: boolean
}

/** The part `file` of a multipart form, if there is one. */
export async function readMultipart(contentType: string, body: Buffer, most: number): Promise<Uploaded | undefined> {
  if (!/^multipart\/form-data\b/i.test(contentType)) throw malformed()
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  // The parser itself is content with a form that breaks off.
  if (boundary === undefined || !body.includes(`--${boundary}--`)) throw malformed()
  return new Promise((resolve, reject) => {
    let found: Uploaded | undefined
    const form = new Busboy({ headers: { 'content-type': contentType }, limits: { fileSize: most, files: 4 } })
    form.on('file', (name, stream, _filename, _encoding, mimeType) => {
      const chunks: Buffer[] = []
      let tooLarge = false
      stream.on('limit', () => {
        tooLarge = true
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (name !== 'file') return
        const declared = mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
        found ??= { declared, tooLarge, bytes: Buffer.concat(chunks) }
      })
    })
    form.on('error', () => reject(malformed()))
    form.on('finish', () => resolve(found))
    form.end(body)
  })
}

function malformed(): Refusal {
  return new Refusal(20009, 'invalid multipart form')
}
