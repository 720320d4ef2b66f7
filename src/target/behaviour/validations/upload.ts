import type { FormPart } from '#target/files/form'
import type { WavFacts } from '#target/files/wav'
import type { Files } from '../files.ts'
import type { ErrorCode } from '../codes.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** An upload with what was found in it. */
export interface UploadInput extends ValidationInput {
  files: Files
  contentType: string
  body: Buffer
  /** Undefined where the body is no well-formed form. */
  parts: FormPart[] | undefined
  part: FormPart | undefined
  /** The media type that counts. */
  type: string | undefined
  /** Bytes that count against the maximum. */
  measured: number
  wav: WavFacts | undefined
}

const coded = (code: ErrorCode, param: string, broken: (input: UploadInput) => boolean) =>
  validation('4.3', param, broken, code)
const inFile = (code: ErrorCode, broken: (part: FormPart, input: UploadInput) => boolean) =>
  coded(code, 'file', (input) => input.part !== undefined && broken(input.part, input))

/** 4.3 POST `/v1/files/audios`; the codes are those of section 7. */
export const uploadValidations = () => ({
  'form-invalid': coded('20009', 'body', ({ parts }) => parts === undefined),
  'file-missing': coded('20010', 'file', ({ parts, part }) => parts !== undefined && part === undefined),
  'other-fields': coded('20009', 'body', ({ parts = [], files }) => !files.toleratesOthers && parts.length > 1),
  'file-empty': inFile('20006', ({ bytes }) => bytes.length === 0),
  /** "Upload over 10MB." */
  'file-too-large': inFile('20007', (_part, { measured, limits }) => measured > limits.audioBytes),
  'type-unsupported': inFile(
    '20008',
    ({ bytes }, { type, files }) => bytes.length > 0 && (type === undefined || !files.types.includes(type)),
  ),
  'file-unfit': coded('20008', 'file', ({ wav, files }) => files.unfit(wav)),
})
