import type { RawReply, RawTarget } from './raw-target.ts'
import type { KeyName } from '#target/keys'

/** One part of a form to be sent. */
export interface SentPart {
  name: string
  bytes: Buffer
  /** Default `voice.wav`; `null` = none. */
  filename?: string | null
  /** Default `audio/wav`; `null` = none. */
  type?: string | null
}

const BOUNDARY = 'a-boundary-of-tests'
const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** A form as browsers write it. */
export function formOf(parts: readonly SentPart[]): Buffer {
  const pieces = parts.flatMap(({ name, bytes, filename = 'voice.wav', type = 'audio/wav' }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === null ? '' : `; filename="${filename}"`),
    Buffer.from(type === null ? '' : `\r\nContent-Type: ${type}`),
    Buffer.from('\r\n\r\n'),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** A WAV of 16 bits, mono, with a tone; `bytes` cuts it or fills it up behind its data. */
export function wavOf(seconds: number, options: { rate?: number; bytes?: number } = {}): Buffer {
  const rate = options.rate ?? 16_000
  const samples = Math.round(seconds * rate)
  const data = Buffer.alloc(samples * BYTES_PER_SAMPLE)
  for (let place = 0; place < samples; place += 1)
    data.writeInt16LE(Math.round(8000 * Math.sin((place * 2 * Math.PI * 220) / rate)), place * BYTES_PER_SAMPLE)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF', 0)
  header.writeUInt32LE(data.length + HEADER_BYTES - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * BYTES_PER_SAMPLE, 28)
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  const wav = Buffer.concat([header, data])
  return options.bytes === undefined ? wav : Buffer.concat([wav], options.bytes)
}

export const send = (
  raw: RawTarget,
  body: Buffer,
  options: { type?: string; key?: KeyName | null } = {},
): Promise<RawReply> =>
  raw.call('POST', '/v1/files/audios', {
    body,
    key: options.key === undefined ? 'primary' : options.key,
    headers: { 'content-type': options.type ?? FORM_TYPE },
  })

export const upload = (raw: RawTarget, bytes: Buffer, key: KeyName = 'primary'): Promise<RawReply> =>
  send(raw, formOf([{ name: 'file', bytes }]), { key })
