import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire } from '#target/wire'
import { drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'

const onUpload = (behaviour: Behaviour, change: Parameters<typeof onData>[2]): void =>
  onData(behaviour, 'upload-audio', change)

/** Shows one type under the name of another. */
const called =
  (type: string, other: string) =>
  ({ files }: Behaviour): void => {
    files.shown['mime_type'] = ({ detected }) => (detected === type ? other : detected)
  }

const WAV_HEADER_BYTES = 44

const identityDefects = defectsOf('audio-files', {
  'file.object': [
    'An upload is answered with a list of files.',
    ({ http }) => void http.data.push((data, operation) => (operation === 'upload-audio' ? [data] : data)),
  ],
  'file.object~url-alone': [
    'An upload is answered with the URL alone.',
    ({ http }) =>
      void http.data.push((data, operation) => (operation === 'upload-audio' && isWire(data) ? data['url'] : data)),
  ],
  'file.id-string': ['A file id is a number.', (b) => onUpload(b, put('file_id', 4711))],
  'file.id-string~under-id': [
    'The id of a file is called `id`.',
    (b) => onUpload(b, ({ file_id: id, ...rest }) => ({ id, ...rest })),
  ],
  'file.id-shaped': ['A file id begins with `file_audio_`.', ({ files }) => prefixed(files, 'file_audio_')],
  'file.id-shaped~hyphens': ['A file id begins with `file-aud-`.', ({ files }) => prefixed(files, 'file-aud-')],
  'file.ids-distinct': ['Every file has the same id.', ({ files }) => void (files.id = () => 'file_aud_0001')],
  'file.ids-distinct~type': [
    'A file is taken for an earlier one of its type.',
    ({ files }) => {
      files.same = ({ detected }, known) => [...known].find((one) => one.detected === detected)
    },
  ],
  'file.ids-distinct~size': [
    'A file is taken for an earlier one of its size.',
    ({ files }) => {
      files.same = ({ bytes }, known) => [...known].find((one) => one.bytes === bytes)
    },
  ],
  'file.type-audio': [
    '`file_type` is the media type.',
    ({ files }) => void (files.shown['file_type'] = ({ detected }) => detected),
  ],
  'file.type-audio~missing': ['`file_type` is left out.', (b) => onUpload(b, drop('file_type'))],
})

function prefixed(files: Behaviour['files'], prefix: string): void {
  files.id = (random) => `${prefix}${random.hex(16)}`
}

const typeDefects = defectsOf('audio-files', {
  'file.mime-type-string': ['`mime_type` is left out.', (b) => onUpload(b, drop('mime_type'))],
  'file.mime-type-string~extension': [
    '`mime_type` is an extension.',
    ({ files }) => void (files.shown['mime_type'] = ({ detected }) => detected.replace('audio/', '.')),
  ],
  'file.mime-type-wav': ['A WAV is detected as MP3.', called('audio/wav', 'audio/mpeg')],
  'file.mime-type-wav~unknown': ['A WAV is detected as bytes.', called('audio/wav', 'application/octet-stream')],
  'file.mime-type-mp3': ['An MP3 is detected as M4A.', called('audio/mpeg', 'audio/mp4')],
  'file.mime-type-mp4': ['An M4A is detected as WAV.', called('audio/mp4', 'audio/wav')],
  'file.mime-type-ogg': ['An Ogg is detected as WebM.', called('audio/ogg', 'audio/webm')],
  'file.mime-type-webm': ['A WebM is detected as Ogg.', called('audio/webm', 'audio/ogg')],
  'file.mime-type-detected': [
    'The declared type is shown.',
    ({ files }) => void (files.shown['mime_type'] = ({ declared }) => declared),
  ],
})

const sizeDefects = defectsOf('audio-files', {
  'file.size-bytes-integer': [
    'The size is in kilobytes, with a fraction.',
    ({ files }) => void (files.shown['size_bytes'] = ({ bytes }) => bytes / 1000 + 0.5),
  ],
  'file.size-bytes-integer~unit': [
    'The size has a unit.',
    ({ files }) => void (files.shown['size_bytes'] = ({ bytes }) => `${bytes} bytes`),
  ],
  'file.size-bytes-exact': [
    'The size is that of the whole form.',
    ({ files }) => void (files.shown['size_bytes'] = ({ formBytes }) => formBytes),
  ],
  'file.size-bytes-exact~data': [
    'The size is that of the sound without its header.',
    ({ files }) => void (files.shown['size_bytes'] = ({ bytes }) => bytes - WAV_HEADER_BYTES),
  ],
  'file.size-bytes-exact~large': [
    'Sizes above a million bytes are rounded.',
    ({ files }) =>
      void (files.shown['size_bytes'] = ({ bytes }) => (bytes > 1_000_000 ? Math.ceil(bytes / 1024) * 1024 : bytes)),
  ],
  'file.size-bytes-exact~base64': [
    'The size is that of the bytes in base64.',
    ({ files }) => void (files.shown['size_bytes'] = ({ bytes }) => Math.ceil(bytes / 3) * 4),
  ],
})

const placeDefects = defectsOf('audio-files', {
  'file.url-string': ['`url` is null.', (b) => onUpload(b, put('url', null))],
  'file.url-string~empty': ['`url` is empty.', (b) => onUpload(b, put('url', ''))],
  'file.url-absolute': ['`url` is a path.', ({ files }) => void (files.shown['url'] = ({ id }) => `/audios/${id}`)],
  'file.url-absolute~bucket': [
    '`url` names a bucket.',
    ({ files }) => void (files.shown['url'] = ({ id }) => `s3://audios/${id}`),
  ],
  'file.url-absolute~host': [
    '`url` has no scheme.',
    ({ files }) => void (files.shown['url'] = ({ id }) => `cdn.example.com/audios/${id}`),
  ],
  'file.created-at-timestamp': [
    '`created_at` counts seconds.',
    ({ files }) => void (files.shown['created_at'] = ({ createdAt }) => Math.floor(createdAt / 1000)),
  ],
  'file.created-at-timestamp~no-zone': [
    '`created_at` has no zone.',
    ({ files }) =>
      void (files.shown['created_at'] = ({ createdAt }) => new Date(createdAt).toISOString().replace('Z', '')),
  ],
  'file.created-at-timestamp~blank': [
    '`created_at` has a blank in the place of its T, and words for its zone.',
    ({ files }) =>
      void (files.shown['created_at'] = ({ createdAt }) =>
        new Date(createdAt)
          .toISOString()
          .replace('T', ' ')
          .replace(/\.\d+Z/u, ' UTC')),
  ],
})

const scopeDefects = defectsOf('audio-files', {
  'scope.shared-by-keys': [
    'A file belongs to the key that uploaded it.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) =>
        sees(account, owner, operation) && (operation !== 'clone-voice' || account.name === owner.name)
    },
  ],
  'scope.other-workspace-excluded': [
    'Any workspace clones any file.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) => operation === 'clone-voice' || sees(account, owner, operation)
    },
  ],
})

/** 2.8: what an upload is answered with, and whose the file is. */
export const fileDefects = [...identityDefects, ...typeDefects, ...sizeDefects, ...placeDefects, ...scopeDefects]
