import { uuid } from '#target/overrides/changes'
import { set, around, several, append } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { Variation } from '../deviation.ts'
import { variationsOf } from './table.ts'

/** Names that mean the same type. */
const ONE_TYPE: Readonly<Record<string, string>> = { 'audio/mp3': 'audio/mpeg', 'audio/x-wav': 'audio/wav' }
const plain = (type: string): string => ONE_TYPE[type] ?? type

/** What types of files may have besides. */
const codecs: Readonly<Record<string, string>> = {
  'audio/wav': '; codecs="1"',
  'audio/ogg': '; codecs=opus',
  'audio/mp4': '; codecs="mp4a.40.2"',
  'audio/webm': ';codecs=opus',
}

const call = (names: Readonly<Record<string, string>>): Override =>
  set('files.shown.mime_type', ({ detected }) => names[detected] ?? detected)

/** An upload, and what is made of it. */
const UPLOADS = /upload|clone/

/** How much, and what, is taken. */
const takenVariations = variationsOf({
  'files-of-10-million §8: A megabyte has a million bytes.': {
    concerns: UPLOADS,
    override: set('limits.audioBytes', 10_000_000),
  },
  'files-limited-by-form §8: The whole form counts against the ten binary megabytes of a file.': set(
    'files.measured',
    (_part, formBytes) => formBytes,
  ),
  'files-mislabelled-refused §4.3: A file that is declared as another type than its bytes have, or as none, is refused.':
    set('files.typeOf', (detected, { declared }) => (plain(declared) === detected ? detected : undefined)),
  'files-unknown-taken §4.3: Bytes of no known type are taken for what they are declared to be.': set(
    'files.typeOf',
    (detected, { declared }) => detected ?? plain(declared),
  ),
  'files-named-only §4.3: A part without a file name is no file.': set(
    'files.isFile',
    ({ name, filename }) => name === 'file' && filename !== undefined,
  ),
  'files-alone §4.3: A form must hold nothing but the file.': set('files.toleratesOthers', false),
  'files-long-refused §8: A sound of more than a minute is refused when it is uploaded.': set(
    'files.unfit',
    (wav) => wav !== undefined && wav.seconds > 60,
  ),
  'files-for-anybody §5: Uploads and clones do not ask for billing.': {
    concerns: UPLOADS,
    override: set('access.gated', []),
  },
  'uploads-need-access §5: Uploads, too, ask for access: a key without it has no file to clone from.': {
    concerns: UPLOADS,
    override: append('access.granted', 'upload-audio'),
  },
  'files-used-up §4.3: A file is gone once a voice was cloned from it (how long one is kept is not said).': {
    concerns: UPLOADS,
    override: set('voices.usesUp', true),
  },
  'files-once §2.8: The same bytes uploaded twice by a workspace are one file.': set('files.same', (file, known) =>
    [...known].find(({ digest, account }) => digest === file.digest && account.workspace === file.account.workspace),
  ),
  'file-types-with-charset §2.8: Types of files are told as a detector prints them, with capitals and the charset of bytes.':
    set('files.shown.mime_type', ({ detected }) => `${detected.replace('/m', '/M')}; charset=binary`),
  'file-types-with-parameters §2.8: Types of files have parameters.': set(
    'files.shown.mime_type',
    ({ detected }) => `${detected}${codecs[detected] ?? ''}`,
  ),
})

/** How a file is shown. */
const shownVariations = variationsOf({
  'files-mp3-called-mp3 §2.8: MP3 is called `audio/mp3`.': call({ 'audio/mpeg': 'audio/mp3' }),
  'files-types-x §2.8: Types have the names that detectors give them.': call({
    'audio/wav': 'audio/x-wav',
    'audio/mp4': 'audio/x-m4a',
  }),
  'files-types-seldom §2.8: Types have the names that less known detectors give them.': call({
    'audio/mpeg': 'audio/mpg',
    'audio/mp4': 'application/mp4',
    'audio/ogg': 'audio/opus',
    'audio/webm': 'application/x-matroska',
  }),
  'files-types-sniffed §2.8: Types have the names that browsers sniff, which tell containers and not what they hold.':
    call({
      'audio/wav': 'audio/wave',
      'audio/mp4': 'video/mp4',
      'audio/ogg': 'application/ogg',
      'audio/webm': 'video/webm',
    }),
  'files-size-as-string §Conventions: The size is a string of digits.': set('files.shown.size_bytes', ({ bytes }) =>
    String(bytes),
  ),
  'files-ids-odd §2.8: After its prefix a file id is a UUID among characters that a URL must escape.': set(
    'files.id',
    (random) => `file_aud_${uuid(random.hex(32))}/+a b=`,
  ),
  'files-ids-short §2.8: After its prefix a file id is a single number.': around('files.id', () => {
    let count = 0
    return () => `file_aud_${(count += 1)}`
  }),
  'files-ids-letters §2.8: After its prefix a file id is letters only.': set('files.id', (random) => {
    const letters = random.hex(24).replaceAll(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)))
    return `file_aud_${letters}`
  }),
  'files-timestamps-offset §2.8: Files have timestamps with microseconds and an offset.': set(
    'files.shown.created_at',
    ({ createdAt }) => new Date(createdAt + 2 * 3_600_000).toISOString().replace('Z', '218+02:00'),
  ),
  'files-url-signed §2.8: URLs of files lead elsewhere, and are signed.': set(
    'files.shown.url',
    ({ digest }) => `https://a1.cdn.test:8443/f/${digest}?expires=4102444800&sig=a%2Bb%3D#t=0,5`,
  ),
  'files-extra-fields §9: Files tell more than the spec knows of.': several(
    set('files.shown.filename', () => null),
    set('files.shown.duration_seconds', ({ wav }) => wav?.seconds ?? null),
    set('files.shown.audio', ({ digest, bytes }) => ({ checksum: digest, size: bytes, format: 'wav' })),
  ),
  'files-created-with-201 §7: Uploads and clones are answered with 201.': {
    concerns: UPLOADS,
    override: around(
      'http.successStatus',
      (successStatus) => (operation) => (/^(?:upload|clone)/u.test(operation) ? 201 : successStatus(operation)),
    ),
  },
})

/** What 2.8 and 4.3 leave open of audio files. */
export const fileVariations: readonly Variation[] = [...takenVariations, ...shownVariations]
