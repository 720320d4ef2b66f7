import type { AudioFile } from '../files/audio-file.ts'
import type { Account } from '../keys.ts'
import type { Random } from '../random.ts'
import type { PublicVoice, Voice } from '../voices/voice.ts'
import type { JsonObject } from '../wire.ts'
import type { ErrorCode } from './codes.ts'

/** One field of a voice; `undefined` leaves it out. */
export type VoiceFields<Kind> = Record<string, (voice: Kind) => unknown>

/** A clone under this name meets a provider that fails (30007). */
export const FAILING_VOICE_NAME = 'greenroom-failing-voice'

/** 2.8: the languages of a voice. */
export const LANGUAGES = 'zh en fr de ja ko ru pt th id vi it es ms fil ar'.split(' ')

const clonedFields = () => ({
  voice_id: ({ id }: Voice): unknown => id,
  name: ({ name }: Voice): unknown => name,
  /** "`language` is the value sent, empty string when omitted" */
  language: ({ language }: Voice): unknown => language ?? '',
})

const publicFields = () => ({
  voice_id: ({ id }: PublicVoice): unknown => id,
  name: ({ name }: PublicVoice): unknown => name,
  language: ({ language }: PublicVoice): unknown => language,
})

/** 2.8 and 4.3: voices. */
export const voices = () => ({
  id: (random: Random, _account: Account): string => `voice_${random.hex(16)}`,
  languages: [...LANGUAGES],
  /** Section 8: "`name`: At most 128 characters." */
  nameLength: (name: string): number => Array.from(name).length,
  /** The file that a clone names, out of all. */
  fileOf: (id: string, files: ReadonlyMap<string, AudioFile>): AudioFile | undefined => files.get(id),
  /** Which sample is too long; a length that cannot be read is none. */
  tooLong: (file: AudioFile, maximum: number): boolean => (file.wav?.seconds ?? 0) > maximum,
  /** Which sample is no good for another reason; what 4.3 asks of samples may be checked or not. */
  unfit: (_file: AudioFile): boolean => false,
  /** Whether a name is taken; that names differ is not said. */
  taken: (_name: string, _own: Iterable<Voice>): boolean => false,
  /** Whether the provider fails. */
  fails: (name: string): boolean => name === FAILING_VOICE_NAME,
  /** Whether a clone that is refused with this code makes its voice all the same. */
  makesRefused: (_code: ErrorCode, _body: JsonObject): boolean => false,
  /** Whether a file is gone once a voice was cloned from it; how long it is kept is not said. */
  usesUp: false,
  /** Milliseconds that a clone takes. */
  cloneMs: 0,
  /** Public voices; every workspace sees them. */
  public: [
    { id: 'voice_public_ada', name: 'Ada', language: 'en' },
    { id: 'voice_public_lin', name: '林', language: 'zh' },
    { id: 'voice_public_any', name: 'Any', language: '' },
  ] as PublicVoice[],
  cloned: clonedFields() as VoiceFields<Voice>,
  shared: publicFields() as VoiceFields<PublicVoice>,
  /** Whether an operation finds a voice that its key may see. */
  finds: (_voice: Voice, _operation: string): boolean => true,
  /** The code for a voice that is not there. */
  unknown: '20005' as ErrorCode,
  /** Whether an operation finds public voices. */
  findsPublic: (_operation: string): boolean => true,
  /** Own voices, oldest first, and public ones as List shows them; the order is not said. */
  list: (own: JsonObject[], shared: JsonObject[]): unknown => ({ voices: [...own, ...shared] }),
  /** 4.3: a cloned voice in `tts_config`; "the service then fills the provider and model". */
  filled: (tts: JsonObject, _voice: Voice): JsonObject => ({
    ...tts,
    tts_provider: 'builtin-clone-1.0_ws',
    tts_model_id: 'builtin-clone-1.0',
  }),
  /** Whether an id that belongs to no voice here may be one of a provider. */
  passesUnknown: (id: string): boolean => !id.startsWith('voice_'),
})

export type Voices = ReturnType<typeof voices>
