import type { Behaviour } from '#target/behaviour/behaviour'
import { type DefectEntry, defectsOf } from '../table.ts'
import { recodeWhere } from '../recode.ts'

const withoutType =
  (type: string) =>
  ({ files }: Behaviour): void => {
    files.types = files.types.filter((one) => one !== type)
  }

/** Refuses files that are declared as a type, whatever they are. */
const withoutDeclared =
  (type: string) =>
  ({ files }: Behaviour): void => {
    const { typeOf } = files
    files.typeOf = (detected, part) => (part.declared === type ? undefined : typeOf(detected, part))
  }

const alsoType =
  (type: string) =>
  ({ files }: Behaviour): void =>
    void files.types.push(type)

const typeDefects: Record<string, DefectEntry> = {
  'upload.wav-accepted~always-503': [
    'Uploads are answered by a page with 503, always.',
    ({ http }) => void (http.edge = (asked) => (asked === 'upload-audio' ? 503 : undefined)),
  ],
  'upload.wav-accepted': ['WAV is no supported type.', withoutType('audio/wav')],
  'upload.mpeg-accepted': ['Only `audio/mp3` is a name of MP3.', withoutDeclared('audio/mpeg')],
  'upload.mp3-accepted': ['Only `audio/mpeg` is a name of MP3.', withoutDeclared('audio/mp3')],
  'upload.mp4-accepted': ['M4A is no supported type.', withoutType('audio/mp4')],
  'upload.ogg-accepted': ['Ogg is no supported type.', withoutType('audio/ogg')],
  'upload.webm-accepted': ['WebM is no supported type.', withoutType('audio/webm')],
  'upload.image-rejected': ['A picture is taken.', alsoType('image/png')],
  'upload.image-rejected~by-declaration': [
    'Only types that are declared as sound or as nothing are looked at; all others pass.',
    ({ files }) => {
      const { typeOf } = files
      files.typeOf = (detected, part) => (part.declared.startsWith('image/') ? 'audio/wav' : typeOf(detected, part))
    },
  ],
  'upload.unlisted-audio-rejected': ['AIFF is taken, too.', alsoType('audio/aiff')],
  'upload.unlisted-audio-rejected~any-audio': [
    'Whatever is declared as sound is taken.',
    ({ files }) => {
      const { typeOf } = files
      files.typeOf = (detected, part) =>
        /^audio\/(?!w|m|o)/u.test(part.declared) ? 'audio/wav' : typeOf(detected, part)
    },
  ],
}

const isEmpty = (bytes: Buffer | undefined): boolean => bytes?.length === 0

const formDefects: Record<string, DefectEntry> = {
  'upload.json-body-rejected': [
    'A body of JSON is an empty file.',
    ({ rules }) => {
      const rule = rules.upload['form-invalid']
      const { broken } = rule
      rule.broken = (input) => broken(input) && !input.contentType.includes('json')
    },
  ],
  'code-20006.empty-file': [
    'An empty file is a missing one.',
    ({ rules }) => void (rules.upload['file-empty'].code = '20010'),
  ],
  'code-20006.empty-file~taken': [
    'An empty file is taken.',
    ({ rules }) => void (rules.upload['file-empty'].broken = () => false),
  ],
  'code-20006.empty-file~unsupported': [
    'The type of an empty file is looked at before its size.',
    (b) => recodeWhere(b.rules.upload, 'file-empty', '20008', ({ part }) => isEmpty(part?.bytes)),
  ],
  'code-20009.no-boundary': [
    'A form without a boundary has no field `file`.',
    (b) => recodeWhere(b.rules.upload, 'form-invalid', '20010', ({ contentType }) => !/boundary=/u.test(contentType)),
  ],
  'code-20009.not-a-form': [
    'What is no form is an unsupported type.',
    (b) =>
      recodeWhere(
        b.rules.upload,
        'form-invalid',
        '20008',
        ({ contentType, body }) => /boundary=/u.test(contentType) && !body.includes('form-data'),
      ),
  ],
  'code-20009.cut-short': [
    'What came of a form that was cut short is taken.',
    ({ files }) => {
      files.repaired = (body, contentType) => {
        const boundary = /boundary="?([^";]+)/u.exec(contentType)?.[1]
        const cut = boundary !== undefined && body.includes('form-data') && !body.includes(`--${boundary}--`)
        return cut ? Buffer.concat([body, Buffer.from(`\r\n--${boundary}--\r\n`)]) : body
      }
    },
  ],
  'code-20009.cut-short~too-large': [
    'A form that was cut short is too large.',
    (b) => recodeWhere(b.rules.upload, 'form-invalid', '20007', ({ body }) => body.includes('form-data')),
  ],
  'code-20010.other-field-name': [
    'Whatever part has a file name is the file.',
    ({ files }) => void (files.isFile = ({ name, filename }) => name === 'file' || filename !== undefined),
  ],
  'code-20010.other-field-name~unsupported': [
    'A file in another field is an invalid form.',
    (b) =>
      recodeWhere(b.rules.upload, 'file-missing', '20009', ({ parts = [] }) =>
        parts.some(({ filename }) => filename !== undefined),
      ),
  ],
  'code-20010.text-field-only': [
    'A form without any file is an empty file.',
    (b) =>
      recodeWhere(b.rules.upload, 'file-missing', '20006', ({ parts = [] }) =>
        parts.every(({ filename }) => filename === undefined),
      ),
  ],
  'code-20008.image': [
    'A picture is an invalid parameter.',
    (b) => recodeWhere(b.rules.upload, 'type-unsupported', '20004', ({ type = '' }) => type.startsWith('image/')),
  ],
  'code-20008.unlisted-audio': [
    'Sound of another type is an invalid parameter.',
    (b) => recodeWhere(b.rules.upload, 'type-unsupported', '20004', ({ type = '' }) => type.startsWith('audio/')),
  ],
}

const sizeDefects: Record<string, DefectEntry> = {
  'size.10000000-bytes-accepted': [
    'A file may have eight binary megabytes.',
    ({ limits }) => void (limits.audioBytes = 8 * 1024 * 1024),
  ],
  'size.10000000-bytes-accepted~less-one': [
    'A file must have less than ten million bytes.',
    ({ limits }) => void (limits.audioBytes = 9_999_999),
  ],
  'size.10000000-bytes-accepted~with-form': [
    'The form counts against ten million bytes of a file.',
    ({ files, limits }) => {
      limits.audioBytes = 10_000_000
      files.measured = (_part, formBytes) => formBytes
    },
  ],
  'size.10485761-bytes-rejected': [
    'No file is too large.',
    ({ rules }) => void (rules.upload['file-too-large'].broken = () => false),
  ],
  'size.10485761-bytes-rejected~one-more': [
    'A file may have a byte more than ten binary megabytes.',
    ({ limits }) => void (limits.audioBytes += 1),
  ],
  'size.10485761-bytes-rejected~kilobytes': [
    'Sizes are compared in whole kilobytes.',
    ({ files }) => void (files.measured = ({ bytes }) => Math.floor(bytes.length / 1024) * 1024),
  ],
  'code-20007.too-large': [
    'A file that is too large is of an unsupported type.',
    ({ rules }) => void (rules.upload['file-too-large'].code = '20008'),
  ],
}

/** 4.3: what an upload takes and refuses. */
export const uploadDefects = defectsOf('audio-files', { ...typeDefects, ...formDefects, ...sizeDefects })
