import { set, around, several, append } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { Variation } from '../deviation.ts'

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')

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
const takenVariations: readonly Variation[] = [
  {
    id: 'files-of-10-million',
    section: '8',
    text: 'A megabyte has a million bytes.',
    concerns: UPLOADS,
    override: set('limits.audioBytes', 10_000_000),
  },
  {
    id: 'files-limited-by-form',
    section: '8',
    text: 'The whole form counts against the ten binary megabytes of a file.',
    override: set('files.measured', (_part, formBytes) => formBytes),
  },
  {
    id: 'files-mislabelled-refused',
    section: '4.3',
    text: 'A file that is declared as another type than its bytes have, or as none, is refused.',
    override: set('files.typeOf', (detected, { declared }) => (plain(declared) === detected ? detected : undefined)),
  },
  {
    id: 'files-unknown-taken',
    section: '4.3',
    text: 'Bytes of no known type are taken for what they are declared to be.',
    override: set('files.typeOf', (detected, { declared }) => detected ?? plain(declared)),
  },
  {
    id: 'files-named-only',
    section: '4.3',
    text: 'A part without a file name is no file.',
    override: set('files.isFile', ({ name, filename }) => name === 'file' && filename !== undefined),
  },
  {
    id: 'files-alone',
    section: '4.3',
    text: 'A form must hold nothing but the file.',
    override: set('files.toleratesOthers', false),
  },
  {
    id: 'files-long-refused',
    section: '8',
    text: 'A sound of more than a minute is refused when it is uploaded.',
    override: set('files.unfit', (wav) => wav !== undefined && wav.seconds > 60),
  },
  {
    id: 'files-for-anybody',
    section: '5',
    text: 'Uploads and clones do not ask for billing.',
    concerns: UPLOADS,
    override: set('access.gated', []),
  },
  {
    id: 'uploads-need-access',
    section: '5',
    text: 'Uploads, too, ask for access: a key without it has no file to clone from.',
    concerns: UPLOADS,
    override: append('access.granted', 'upload-audio'),
  },
  {
    id: 'files-once',
    section: '2.8',
    text: 'The same bytes uploaded twice by a workspace are one file.',
    override: set('files.same', (file, known) =>
      [...known].find(({ digest, account }) => digest === file.digest && account.workspace === file.account.workspace),
    ),
  },
  {
    id: 'file-types-with-parameters',
    section: '2.8',
    text: 'Types of files have parameters.',
    override: set('files.shown.mime_type', ({ detected }) => `${detected}${codecs[detected] ?? ''}`),
  },
]

/** How a file is shown. */
const shownVariations: readonly Variation[] = [
  {
    id: 'files-mp3-called-mp3',
    section: '2.8',
    text: 'MP3 is called `audio/mp3`.',
    override: call({ 'audio/mpeg': 'audio/mp3' }),
  },
  {
    id: 'files-types-x',
    section: '2.8',
    text: 'Types have the names that detectors give them.',
    override: call({ 'audio/wav': 'audio/x-wav', 'audio/mp4': 'audio/x-m4a' }),
  },
  {
    id: 'files-types-sniffed',
    section: '2.8',
    text: 'Types have the names that browsers sniff, which tell containers and not what they hold.',
    override: call({
      'audio/wav': 'audio/wave',
      'audio/mp4': 'video/mp4',
      'audio/ogg': 'application/ogg',
      'audio/webm': 'video/webm',
    }),
  },
  {
    id: 'files-size-as-string',
    section: 'Conventions',
    text: 'The size is a string of digits.',
    override: set('files.shown.size_bytes', ({ bytes }) => String(bytes)),
  },
  {
    id: 'files-ids-odd',
    section: '2.8',
    text: 'After its prefix a file id is a UUID among characters that a URL must escape.',
    override: set('files.id', (random) => `file_aud_${uuid(random.hex(32))}/+a b=`),
  },
  {
    id: 'files-ids-short',
    section: '2.8',
    text: 'After its prefix a file id is a single number.',
    override: around('files.id', () => {
      let count = 0
      return () => `file_aud_${(count += 1)}`
    }),
  },
  {
    id: 'files-timestamps-offset',
    section: '2.8',
    text: 'Files have timestamps with microseconds and an offset.',
    override: set('files.shown.created_at', ({ createdAt }) =>
      new Date(createdAt + 2 * 3_600_000).toISOString().replace('Z', '218+02:00'),
    ),
  },
  {
    id: 'files-url-signed',
    section: '2.8',
    text: 'URLs of files lead elsewhere, and are signed.',
    override: set(
      'files.shown.url',
      ({ digest }) => `https://a1.cdn.test:8443/f/${digest}?expires=4102444800&sig=a%2Bb%3D#t=0,5`,
    ),
  },
  {
    id: 'files-extra-fields',
    section: '9',
    text: 'Files tell more than the spec knows of.',
    override: several(
      set('files.shown.filename', () => null),
      set('files.shown.duration_seconds', ({ wav }) => wav?.seconds ?? null),
      set('files.shown.audio', ({ digest, bytes }) => ({ checksum: digest, size: bytes, format: 'wav' })),
    ),
  },
  {
    id: 'files-created-with-201',
    section: '7',
    text: 'Uploads and clones are answered with 201.',
    concerns: UPLOADS,
    override: around(
      'http.successStatus',
      (successStatus) => (operation) => (/^(?:upload|clone)/u.test(operation) ? 201 : successStatus(operation)),
    ),
  },
]

/** What 2.8 and 4.3 leave open of audio files. */
export const fileVariations: readonly Variation[] = [...takenVariations, ...shownVariations]
