import { around, set } from '#target/overrides/operators'
import { failsOver, recodeWhere } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const isEmpty = (bytes: Buffer | undefined): boolean => bytes?.length === 0

export const code20006Defects = defectsOf('audio-files.code-20006', {
  'empty-file: An empty file is a missing one.': set('validations.upload.file-empty.code', '20010'),
  'empty-file~taken: An empty file is taken.': set('validations.upload.file-empty.broken', () => false),
  'empty-file~unsupported: The type of an empty file is looked at before its size.': recodeWhere(
    'validations.upload',
    'file-empty',
    '20008',
    ({ part }) => isEmpty(part?.bytes),
  ),
  'empty-file~mpeg: An empty file that is declared audio/mpeg is answered with 20008.': [
    set(
      'validations.upload.file-empty.broken',
      ({ part }) => part?.bytes.length === 0 && part.declared !== 'audio/mpeg',
    ),
    around(
      'validations.upload.type-unsupported.broken',
      (broken) => (input) => input.part?.bytes.length === 0 || broken(input),
    ),
  ],
  'empty-file~mp3: An empty file that calls itself MP3 has an unsupported type.': recodeWhere(
    'validations.upload',
    'file-empty',
    '20008',
    ({ part }) => part?.declared !== 'audio/wav',
  ),
})

export const code20009Defects = defectsOf('audio-files.code-20009', {
  'no-boundary: A form without a boundary has no field `file`.': recodeWhere(
    'validations.upload',
    'form-invalid',
    '20010',
    ({ contentType }) => !/boundary=/u.test(contentType),
  ),
  'not-a-form: What is no form is an unsupported type.': recodeWhere(
    'validations.upload',
    'form-invalid',
    '20008',
    ({ contentType, body }) => /boundary=/u.test(contentType) && !body.includes('form-data'),
  ),
  'not-a-form~without-parts: A form without parts has an invalid parameter.': recodeWhere(
    'validations.upload',
    'file-missing',
    '20004',
    ({ contentType, body, parts = [] }) => parts.length === 0 && /boundary=/u.test(contentType) && body.length > 0,
  ),
  'cut-short: What came of a form that was cut short is taken.': set('files.repaired', (body, contentType) => {
    const boundary = /boundary="?([^";]+)/u.exec(contentType)?.[1]
    const cut = boundary !== undefined && body.includes('form-data') && !body.includes(`--${boundary}--`)
    return cut ? Buffer.concat([body, Buffer.from(`\r\n--${boundary}--\r\n`)]) : body
  }),
  'cut-short~too-large: A form that was cut short is too large.': recodeWhere(
    'validations.upload',
    'form-invalid',
    '20007',
    ({ body }) => body.includes('form-data'),
  ),
})

export const code20010Defects = defectsOf('audio-files.code-20010', {
  'other-field-name: Whatever part has a file name is the file.': set(
    'files.isFile',
    ({ name, filename }) => name === 'file' || filename !== undefined,
  ),
  'other-field-name~unsupported: A file in another field is an invalid form.': recodeWhere(
    'validations.upload',
    'file-missing',
    '20009',
    ({ parts = [] }) => parts.some(({ filename }) => filename !== undefined),
  ),
  'other-field-name~prefix: Any field whose name begins with `file` is the file.': set(
    'files.isFile',
    ({ name }) => name?.startsWith('file') ?? false,
  ),
  'other-field-name~audio: A field `audio` holds the file as well.': set(
    'files.isFile',
    ({ name }) => name === 'file' || name === 'audio',
  ),
  'other-field-name~capitals: The field `file` is found under its name in any capitals.': set(
    'files.isFile',
    ({ name }) => name?.toLowerCase() === 'file',
  ),
  'text-field-only: A form without any file is an empty file.': recodeWhere(
    'validations.upload',
    'file-missing',
    '20006',
    ({ parts = [] }) => parts.every(({ filename }) => filename === undefined),
  ),
})

export const code20008Defects = defectsOf('audio-files.code-20008', {
  'image~failure: The service fails over types that it does not support.': failsOver(
    'validations.upload',
    'type-unsupported',
  ),
  'image: A picture is an invalid parameter.': recodeWhere(
    'validations.upload',
    'type-unsupported',
    '20004',
    ({ type = '' }) => type.startsWith('image/'),
  ),
  'unlisted-audio: Sound of another type is an invalid parameter.': recodeWhere(
    'validations.upload',
    'type-unsupported',
    '20004',
    ({ type = '' }) => type.startsWith('audio/'),
  ),
})

export const code20007Defects = defectsOf('audio-files.code-20007', {
  'too-large: A file that is too large is of an unsupported type.': set(
    'validations.upload.file-too-large.code',
    '20008',
  ),
  'too-large~chunked: The maximum holds only for bodies with a Content-Length.': around(
    'files.measured',
    (measured) => (part, formBytes, headers) =>
      headers?.['content-length'] === undefined ? 0 : measured(part, formBytes, headers),
  ),
})
