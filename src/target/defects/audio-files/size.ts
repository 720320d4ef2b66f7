import { set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const sizeDefects = defectsOf('audio-files.size', {
  '10000000-bytes-accepted: A file may have eight binary megabytes.': set('limits.audioBytes', 8 * 1024 * 1024),
  '10000000-bytes-accepted~less-one: A file must have less than ten million bytes.': set(
    'limits.audioBytes',
    9_999_999,
  ),
  '10000000-bytes-accepted~with-form: The form counts against ten million bytes of a file.': [
    set('limits.audioBytes', 10_000_000),
    set('files.measured', (_part, formBytes) => formBytes),
  ],
  '10485761-bytes-rejected: No file is too large.': set('validations.upload.file-too-large.broken', () => false),
  '10485761-bytes-rejected~one-more: A file may have a byte more than ten binary megabytes.': ({ limits }) =>
    void (limits.audioBytes += 1),
  '10485761-bytes-rejected~kilobytes: Sizes are compared in whole kilobytes.': set(
    'files.measured',
    ({ bytes }) => Math.floor(bytes.length / 1024) * 1024,
  ),
})
