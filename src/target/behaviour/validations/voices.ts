import type { AudioFile } from '#target/files/audio-file'
import type { Voice } from '#target/voices/voice'
import { isWire, type JsonObject } from '#target/wire'
import type { ErrorCode } from '../codes.ts'
import type { Voices } from '../voices.ts'
import { empty, notOneOf } from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** A clone with the file that it names. */
export interface CloneInput extends ValidationInput {
  given: unknown
  body: JsonObject
  voices: Voices
  /** Undefined where there is none, or none that the workspace sees. */
  file: AudioFile | undefined
  /** Whether there is one that it does not see. */
  hidden: boolean
  /** Voices that the workspace has cloned so far. */
  own: Voice[]
}

/** A session's `tts_voice_id`. */
export interface UsedVoiceInput extends ValidationInput {
  id: string
  /** Whether a voice of this id was cloned here by anybody. */
  known: boolean
  /** Whether the session's workspace may use it. */
  visible: boolean
  voices: Voices
}

const coded = (code: ErrorCode, param: string, broken: (input: CloneInput) => boolean) =>
  validation('4.3', param, broken, code)
const at = (code: ErrorCode, param: string, broken: (value: unknown, input: CloneInput) => boolean) =>
  coded(code, param, (input) => isWire(input.given) && broken(input.body[param], input))
const absent = (value: unknown): boolean => value === undefined || value === null
const notText = (value: unknown): boolean => !absent(value) && typeof value !== 'string'

/** 4.3 POST `/v1/voices`; the codes are those of section 7. */
export const cloneValidations = () => ({
  'body-not-object': coded('20004', 'body', ({ given }) => !isWire(given)),
  'name-missing': at('20003', 'name', absent),
  'file-id-missing': at('20003', 'file_id', absent),
  'name-not-string': at('20004', 'name', notText),
  'name-empty': at('20004', 'name', empty),
  'name-too-long': at(
    '20004',
    'name',
    (value, { voices, limits }) => typeof value === 'string' && voices.nameLength(value) > limits.voiceNameCharacters,
  ),
  'name-taken': at('20004', 'name', (value, { voices, own }) => typeof value === 'string' && voices.taken(value, own)),
  'file-id-not-string': at('20004', 'file_id', notText),
  'file-id-empty': at('20004', 'file_id', empty),
  'language-not-string': at('20004', 'language', notText),
  'language-unknown': at('20004', 'language', (value, { voices }) => value !== '' && notOneOf(value, voices.languages)),
  'file-unknown': at(
    '20005',
    'file_id',
    (value, { file }) => typeof value === 'string' && value !== '' && file === undefined,
  ),
  /** Section 8: "clone sample 60 seconds maximum"; it has no code of its own. */
  'sample-too-long': coded(
    '20004',
    'file_id',
    ({ file, voices, limits }) => file !== undefined && voices.tooLong(file, limits.sampleSeconds),
  ),
  'sample-unfit': coded('20004', 'file_id', ({ file, voices }) => file !== undefined && voices.unfit(file)),
  'provider-failed': at('30007', 'name', (value, { voices }) => typeof value === 'string' && voices.fails(value)),
})

/** 1.4 and 1.6: a voice id is used in `tts_config`, within its workspace. */
export const usedVoiceValidations = () => ({
  'voice-of-other-workspace': validation(
    '1.6',
    'pipeline_config.tts_config.tts_voice_id',
    ({ known, visible }: UsedVoiceInput) => known && !visible,
  ),
  'voice-unknown': validation(
    '2.6',
    'pipeline_config.tts_config.tts_voice_id',
    ({ id, known, voices }: UsedVoiceInput) => !known && !voices.passesUnknown(id),
  ),
})
