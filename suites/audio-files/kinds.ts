import type { MediumName } from '#media/media'

/** What Upload Audio takes by the name of its type, and what it detects in a file of that kind (4.3). */
type Named = 'wav' | 'mpeg' | 'mp3' | 'mp4' | 'ogg' | 'webm'
type Detected = 'wav' | 'mp3' | 'mp4' | 'ogg' | 'webm'

/** One of the types that Upload Audio takes (4.3), with an honest file of it. */
export interface Kind {
  readonly type: string
  readonly medium: MediumName
  readonly accepted: `audio-files.upload.${Named}-accepted`
  readonly detected: `audio-files.file.mime-type-${Detected}`
  /** Names of the type that fit the bytes. Which of them a service uses is not said, nor with which parameters or capitals. */
  readonly names: readonly string[]
}

export const wavNames = ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav']
const mp3Names = [
  'audio/mpeg',
  'audio/mp3',
  'audio/mpeg3',
  'audio/mpg',
  'audio/mpa',
  'audio/x-mpeg',
  'audio/x-mp3',
  'audio/x-mpg',
  'audio/x-mpeg3',
  'audio/x-mpeg-3',
  'audio/x-mpegaudio',
]
const mp4Names = [
  'audio/mp4',
  'audio/x-m4a',
  'audio/m4a',
  'audio/mp4a-latm',
  'audio/aac',
  'application/mp4',
  'video/mp4',
]
const oggNames = ['audio/ogg', 'application/ogg', 'audio/x-ogg', 'audio/opus', 'audio/x-opus+ogg', 'video/ogg']
const webmNames = [
  'audio/webm',
  'video/webm',
  'audio/x-matroska',
  'video/x-matroska',
  'audio/matroska',
  'application/x-matroska',
  'video/matroska',
]

const kind = (word: Named, medium: MediumName, file: Detected, fitting: readonly string[]): Kind => ({
  type: `audio/${word}`,
  medium,
  accepted: `audio-files.upload.${word}-accepted`,
  detected: `audio-files.file.mime-type-${file}`,
  names: fitting,
})

/** 4.3: "Types". `audio/mp3` and `audio/mpeg` name the same type. */
export const kinds: readonly Kind[] = [
  kind('wav', 'speech.wav', 'wav', wavNames),
  kind('mpeg', 'speech.mp3', 'mp3', mp3Names),
  kind('mp3', 'speech.mp3', 'mp3', mp3Names),
  kind('mp4', 'silence.m4a', 'mp4', mp4Names),
  kind('ogg', 'silence.ogg', 'ogg', oggNames),
  kind('webm', 'silence.webm', 'webm', webmNames),
]
