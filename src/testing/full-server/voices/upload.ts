import { fileTypeFromBuffer } from 'file-type'
import type { AudioFile } from './audio-files.ts'
import type { Call, Service } from '../call.ts'
import { readMultipart } from './multipart.ts'
import type { JsonObject } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { stamp } from '../stamps.ts'

const LARGEST = 10_000_000

const allowed = ['audio/wav', 'audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/ogg', 'audio/webm']

/** Names of what bytes are found to be, in this server's own words. */
const detectedNames: Readonly<Record<string, string>> = {
  'audio/wav': 'audio/wav',
  'audio/mpeg': 'audio/mp3',
  'audio/mp4': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'video/mp4': 'audio/mp4',
  'audio/ogg': 'audio/ogg',
  'video/webm': 'audio/webm',
  'audio/webm': 'audio/webm',
}

/** Section 4.3. A file must be what it is declared to be. */
export async function uploadAudio(call: Call, { files }: Service): Promise<unknown> {
  const part = await readMultipart(call.contentType, call.body, LARGEST)
  if (part === undefined) throw new Refusal(20010, 'missing file field')
  if (part.tooLarge) throw new Refusal(20007, 'file too large')
  if (part.bytes.length === 0) throw new Refusal(20006, 'empty file')
  if (!allowed.includes(part.declared)) throw new Refusal(20008, 'unsupported media type')
  const found = (await fileTypeFromBuffer(part.bytes))?.mime.split(';')[0] ?? ''
  const name = detectedNames[found]
  const declared = part.declared === 'audio/mpeg' ? 'audio/mp3' : part.declared
  if (name === undefined || name !== declared) throw new Refusal(20008, 'the file is not of a supported type')
  return view(files.add(name, part.bytes, call.account.workspace))
}

function view(file: AudioFile): JsonObject {
  return {
    url: `https://cdn.second.example/audio/${file.id}`,
    size_bytes: String(file.bytes.length),
    mime_type: file.mimeType,
    file_type: 'audio',
    created_at: stamp(file.createdAt),
    file_id: file.id,
    checked: true,
  }
}
