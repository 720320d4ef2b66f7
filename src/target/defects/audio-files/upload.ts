import type { Override } from '#target/behaviour/behaviour'
import { validation } from '#target/behaviour/validations/input-validation'
import { add, append, around, except, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

const withoutType = (type: string): Override => around('files.types', (types) => types.filter((one) => one !== type))

/** Refuses files that are declared as a type, whatever they are. */
const withoutDeclared = (type: string): Override =>
  around('files.typeOf', (typeOf) => (detected, part) => (part.declared === type ? undefined : typeOf(detected, part)))

const alsoType = (type: string): Override => append('files.types', type)

export const uploadDefects = defectsOf('audio-files.upload', {
  'wav-accepted: WAV is no supported type.': withoutType('audio/wav'),
  'wav-accepted~always-503: Uploads are answered by a page with 503, always.': set('http.edge', (asked) =>
    asked === 'upload-audio' ? 503 : undefined,
  ),
  'wav-accepted~first-part: Only the first part of a form is looked at.': set('files.fileIn', (parts, isFile) =>
    parts.slice(0, 1).find(isFile),
  ),
  'wav-accepted~no-extension: A file whose name has no extension is refused.': add(
    'validations.upload',
    'no-extension',
    {
      ...validation('4.3', 'file', ({ part }) => part?.filename !== undefined && !part.filename.includes('.')),
      code: '20008',
    },
  ),
  'wav-accepted~non-ascii-name: A WAV whose name has characters outside ASCII is an invalid form.': add(
    'validations.upload',
    'refused-by-defect',
    {
      ...validation('4.3', 'file', ({ part, type }) => type === 'audio/wav' && /[^ -~]/u.test(part?.filename ?? '')),
      code: '20009',
    },
  ),
  'mpeg-accepted: Only `audio/mp3` is a name of MP3.': withoutDeclared('audio/mpeg'),
  'mp3-accepted: Only `audio/mpeg` is a name of MP3.': withoutDeclared('audio/mp3'),
  'mp4-accepted: M4A is no supported type.': withoutType('audio/mp4'),
  'ogg-accepted: Ogg is no supported type.': withoutType('audio/ogg'),
  'webm-accepted: WebM is no supported type.': withoutType('audio/webm'),
  'image-rejected: A picture is taken.': alsoType('image/png'),
  'image-rejected~by-declaration: Only types that are declared as sound or as nothing are looked at; all others pass.':
    around(
      'files.typeOf',
      (typeOf) => (detected, part) => (part.declared.startsWith('image/') ? 'audio/wav' : typeOf(detected, part)),
    ),
  'unlisted-audio-rejected: AIFF is taken, too.': alsoType('audio/aiff'),
  'unlisted-audio-rejected~any-audio: Whatever is declared as sound is taken.': around(
    'files.typeOf',
    (typeOf) => (detected, part) => (/^audio\/(?!w|m|o)/u.test(part.declared) ? 'audio/wav' : typeOf(detected, part)),
  ),
  'video-rejected: Whatever is declared as video is taken, as it may hold sound.': except(
    'validations.upload',
    'type-unsupported',
    ({ part }) => part?.declared.startsWith('video/') === true,
  ),
  'text-rejected: A file that is declared as text is taken.': except(
    'validations.upload',
    'type-unsupported',
    ({ part }) => part?.declared === 'text/plain',
  ),
  'text-rejected~unknown: Only types that the service knows from their first bytes are looked at.': except(
    'validations.upload',
    'type-unsupported',
    ({ type }) => type === undefined,
  ),
  'json-body-rejected: A body of JSON is an empty file.': except('validations.upload', 'form-invalid', (input) =>
    input.contentType.includes('json'),
  ),
})
