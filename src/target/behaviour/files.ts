import type { IncomingHttpHeaders } from 'node:http'
import type { AudioFile } from '../files/audio-file.ts'
import type { FormPart } from '../files/form.ts'
import type { WavFacts } from '../files/wav.ts'
import type { Account } from '../keys.ts'
import type { Random } from '../random.ts'

/** One field of an audio file; `undefined` leaves it out. */
export type AudioFileFields = Record<string, (file: AudioFile) => unknown>

/** "UTC, format `YYYY-MM-DDTHH:MM:SSZ`" (2.7). */
export const secondsStamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z')

/** 2.8 Audio file, field by field. */
const fileFields = () => ({
  file_id: (file: AudioFile): unknown => file.id,
  file_type: (): unknown => 'audio',
  mime_type: (file: AudioFile): unknown => file.detected,
  size_bytes: (file: AudioFile): unknown => file.bytes,
  url: (file: AudioFile): unknown => `https://cdn.example.com/audios/${file.id}`,
  created_at: (file: AudioFile): unknown => secondsStamp(file.createdAt),
})

/** 2.8 and 4.3: audio files. */
export const files = () => ({
  id: (random: Random, _account: Account): string => `file_aud_${random.hex(16)}`,
  /** 4.3: "field `file` (binary)". Whether it needs a file name is not said. */
  isFile: (part: FormPart): boolean => part.name === 'file',
  /** The file of a form, wherever it stands there. */
  fileIn: (parts: FormPart[], isFile: (part: FormPart) => boolean): FormPart | undefined => parts.find(isFile),
  /** What else stands in the form; unknown fields of REST bodies are not spoken of. */
  toleratesOthers: true,
  /** 4.3: "Types". `audio/mp3` and `audio/mpeg` name the same type. */
  types: ['audio/wav', 'audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/ogg', 'audio/webm'],
  /** 2.8: `mime_type` is "detected". Undefined = a type that no bytes of this kind have. */
  typeOf: (detected: string | undefined, _part: FormPart): string | undefined => detected,
  /** How many bytes count against the maximum. */
  measured: (part: FormPart, _formBytes: number, _headers?: IncomingHttpHeaders): number => part.bytes.length,
  /** What is made of a body before it is read. */
  repaired: (body: Buffer, _contentType: string): Buffer => body,
  /** Which upload is refused for another reason. */
  unfit: (_wav: WavFacts | undefined): boolean => false,
  /** An earlier file that an upload is taken for: whether the same bytes are one file or two is not said. */
  same: (_file: AudioFile, _known: Iterable<AudioFile>): AudioFile | undefined => undefined,
  shown: fileFields() as AudioFileFields,
})

export type Files = ReturnType<typeof files>
