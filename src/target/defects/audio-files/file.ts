import { createHash } from 'node:crypto'
import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { type Change, omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, remembering, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

const onUpload = (change: Change): Override => onData('upload-audio', change)

/** Shows one type under the name of another. */
const called = (type: string, other: string): Override =>
  set('files.shown.mime_type', ({ detected }) => (detected === type ? other : detected))

const WAV_HEADER_BYTES = 44

function prefixed(files: Behaviour['files'], prefix: string): void {
  files.id = (random) => `${prefix}${random.hex(16)}`
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const extensionOf = (name: string | undefined): string => /\.(\w+)$/u.exec(name ?? '')?.[1]?.toLowerCase() ?? ''

export const fileDefects = defectsOf('audio-files.file', {
  'object: An upload is answered with a list of files.': onData('upload-audio', (data) => [data]),
  'object~url-alone: An upload is answered with the URL alone.': onData('upload-audio', (data) => data['url']),
  'id-string: A file id is a number.': onUpload(put('file_id', 4711)),
  'id-string~under-id: The id of a file is called `id`.': onUpload(({ file_id: id, ...rest }) => ({ id, ...rest })),
  'id-shaped: A file id begins with `file_audio_`.': ({ files }) => prefixed(files, 'file_audio_'),
  'id-shaped~hyphens: A file id begins with `file-aud-`.': ({ files }) => prefixed(files, 'file-aud-'),
  'ids-distinct: Every file has the same id.': set('files.id', () => 'file_aud_0001'),
  'ids-distinct~type: A file is taken for an earlier one of its type.': set('files.same', ({ detected }, known) =>
    [...known].find((one) => one.detected === detected),
  ),
  'ids-distinct~size: A file is taken for an earlier one of its size.': set('files.same', ({ bytes }, known) =>
    [...known].find((one) => one.bytes === bytes),
  ),
  'ids-distinct~name: A file is taken for the earlier one of its name.': remembering(() => {
    const names = new Map<string, string | undefined>()
    const firsts = new Map<string, string>()
    return [
      around('files.measured', (measured) => (part, formBytes) => {
        names.set(digestOf(part.bytes), part.filename)
        return measured(part, formBytes)
      }),
      set('files.same', (file, known) => {
        const name = `${file.account.workspace}\n${names.get(file.digest) ?? file.id}`
        const first = firsts.get(name)
        if (first === undefined) firsts.set(name, file.id)
        return [...known].find(({ id }) => id === first)
      }),
    ]
  }),
  'type-audio: `file_type` is the media type.': set('files.shown.file_type', ({ detected }) => detected),
  'type-audio~missing: `file_type` is left out.': onUpload(omit('file_type')),
  'mime-type-string: `mime_type` is left out.': onUpload(omit('mime_type')),
  'mime-type-string~extension: `mime_type` is an extension.': set('files.shown.mime_type', ({ detected }) =>
    detected.replace('audio/', '.'),
  ),
  'mime-type-wav: A WAV is detected as MP3.': called('audio/wav', 'audio/mpeg'),
  'mime-type-wav~unknown: A WAV is detected as bytes.': called('audio/wav', 'application/octet-stream'),
  'mime-type-mp3: An MP3 is detected as M4A.': called('audio/mpeg', 'audio/mp4'),
  'mime-type-mp4: An M4A is detected as WAV.': called('audio/mp4', 'audio/wav'),
  'mime-type-ogg: An Ogg is detected as WebM.': called('audio/ogg', 'audio/webm'),
  'mime-type-webm: A WebM is detected as Ogg.': called('audio/webm', 'audio/ogg'),
  'mime-type-detected: The declared type is shown.': set('files.shown.mime_type', ({ declared }) => declared),
  'mime-type-detected~extension: The type that is shown is that of the file name.': ({ files }) =>
    void (files.typeOf = (detected, { filename }) =>
      detected !== undefined && files.types.includes(detected)
        ? (BY_EXTENSION[extensionOf(filename)] ?? detected)
        : detected),
  'size-bytes-integer: The size is in kilobytes, with a fraction.': set(
    'files.shown.size_bytes',
    ({ bytes }) => bytes / 1000 + 0.5,
  ),
  'size-bytes-integer~unit: The size has a unit.': set('files.shown.size_bytes', ({ bytes }) => `${bytes} bytes`),
  'size-bytes-exact: The size is that of the whole form.': set('files.shown.size_bytes', ({ formBytes }) => formBytes),
  'size-bytes-exact~data: The size is that of the sound without its header.': set(
    'files.shown.size_bytes',
    ({ bytes }) => bytes - WAV_HEADER_BYTES,
  ),
  'size-bytes-exact~large: Sizes above a million bytes are rounded.': set('files.shown.size_bytes', ({ bytes }) =>
    bytes > 1_000_000 ? Math.ceil(bytes / 1024) * 1024 : bytes,
  ),
  'size-bytes-exact~base64: The size is that of the bytes in base64.': set(
    'files.shown.size_bytes',
    ({ bytes }) => Math.ceil(bytes / 3) * 4,
  ),
  'size-bytes-exact~trailing-line-end: A line end at the end of a file is not counted.': remembering(() => {
    const ended = new Set<string>()
    return [
      around('files.measured', (measured) => (part, formBytes) => {
        if (part.bytes.subarray(-2).toString('latin1') === '\r\n') ended.add(digestOf(part.bytes))
        return measured(part, formBytes)
      }),
      set('files.shown.size_bytes', ({ bytes, digest }) => (ended.has(digest) ? bytes - 2 : bytes)),
    ]
  }),
  'url-string: `url` is null.': onUpload(put('url', null)),
  'url-string~empty: `url` is empty.': onUpload(put('url', '')),
  'url-absolute: `url` is a path.': set('files.shown.url', ({ id }) => `/audios/${id}`),
  'url-absolute~bucket: `url` names a bucket.': set('files.shown.url', ({ id }) => `s3://audios/${id}`),
  'url-absolute~host: `url` has no scheme.': set('files.shown.url', ({ id }) => `cdn.example.com/audios/${id}`),
  'urls-distinct: Every file is shown under one address, that of the newest.': set(
    'files.shown.url',
    () => 'https://cdn.example.com/audios/newest',
  ),
  'urls-distinct~type: Files of one type are shown under one address.': set(
    'files.shown.url',
    ({ detected }) => `https://cdn.example.com/audios/upload.${detected.replace('audio/', '')}`,
  ),
  'created-at-timestamp: `created_at` counts seconds.': set('files.shown.created_at', ({ createdAt }) =>
    Math.floor(createdAt / 1000),
  ),
  'created-at-timestamp~no-zone: `created_at` has no zone.': set('files.shown.created_at', ({ createdAt }) =>
    new Date(createdAt).toISOString().replace('Z', ''),
  ),
  'created-at-timestamp~blank: `created_at` has a blank in the place of its T, and words for its zone.': set(
    'files.shown.created_at',
    ({ createdAt }) =>
      new Date(createdAt)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z/u, ' UTC'),
  ),
  'size-bytes-exact~ogg: The size of an Ogg file is that of its form.': around(
    'files.shown.size_bytes',
    (size) => (file) => (file.detected === 'audio/ogg' ? file.formBytes : size(file)),
  ),
  'created-at-not-ahead: `created_at` is the time of another zone, and says that it is UTC.': set(
    'files.shown.created_at',
    ({ createdAt }) => new Date(createdAt + 7_200_000).toISOString(),
  ),
})
