import type { AudioFile } from '../files/audio-file.ts'
import type { FormPart } from '../files/form.ts'
import type { Random } from '../random.ts'
import type { Wire } from '../wire.ts'

/** One field of an audio file; `undefined` leaves it out. */
export type AudioFileFields = Record<string, (file: AudioFile) => unknown>

/** UTC to the second. */
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
  id: (random: Random): string => `file_aud_${random.hex(16)}`,
  /** 4.3: "field `file` (binary)". Whether it needs a file name is not said. */
  isFile: (part: FormPart): boolean => part.name === 'file',
  /** What else stands in the form; unknown fields of REST bodies are not spoken of. */
  toleratesOthers: true,
  /** 4.3: "Types". `audio/mp3` and `audio/mpeg` name the same type. */
  types: ['audio/wav', 'audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/ogg', 'audio/webm'],
  /** 2.8: `mime_type` is "detected". Undefined = a type that no bytes of this kind have. */
  typeOf: (detected: string | undefined, _part: FormPart): string | undefined => detected,
  /** How many bytes count against the maximum. */
  measured: (part: FormPart, _formBytes: number): number => part.bytes.length,
  shown: fileFields() as AudioFileFields,
  /** Whether an upload is forgotten as soon as it is answered. */
  forgets: (_file: AudioFile): boolean => false,
  /** The last word on an answer. */
  dress: (data: Wire, _file: AudioFile): Wire => data,
})

export type Files = ReturnType<typeof files>
