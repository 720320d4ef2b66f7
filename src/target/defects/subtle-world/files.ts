import { createHash } from 'node:crypto'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import { defectsOf } from '../table.ts'

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

/** 2.8 and 4.3: audio files. */
export const subtleFileDefects = defectsOf('audio-files', {
  'file.ids-distinct~name': [
    'A file is taken for the earlier one of its name.',
    ({ files }) => {
      const names = new Map<string, string | undefined>()
      const { measured } = files
      files.measured = (part, formBytes) => {
        names.set(digestOf(part.bytes), part.filename)
        return measured(part, formBytes)
      }
      const firsts = new Map<string, string>()
      files.same = (file, known) => {
        const name = `${file.account.workspace}\n${names.get(file.digest) ?? file.id}`
        const first = firsts.get(name)
        if (first === undefined) firsts.set(name, file.id)
        return [...known].find(({ id }) => id === first)
      }
    },
  ],
  'file.mime-type-detected~extension': [
    'The type that is shown is that of the file name.',
    ({ files }) =>
      void (files.typeOf = (detected, { filename }) =>
        detected !== undefined && files.types.includes(detected)
          ? (BY_EXTENSION[extensionOf(filename)] ?? detected)
          : detected),
  ],
  'file.size-bytes-exact~trailing-line-end': [
    'A line end at the end of a file is not counted.',
    ({ files }) => {
      const ended = new Set<string>()
      const { measured } = files
      files.measured = (part, formBytes) => {
        if (part.bytes.subarray(-2).toString('latin1') === '\r\n') ended.add(digestOf(part.bytes))
        return measured(part, formBytes)
      }
      files.shown['size_bytes'] = ({ bytes, digest }) => (ended.has(digest) ? bytes - 2 : bytes)
    },
  ],
  'code-20010.other-field-name~prefix': [
    'Any field whose name begins with `file` is the file.',
    ({ files }) => void (files.isFile = ({ name }) => name?.startsWith('file') ?? false),
  ],
  'upload.wav-accepted~non-ascii-name': [
    'A WAV whose name has characters outside ASCII is an invalid form.',
    ({ rules }) =>
      demand(rules.upload, 'refused-by-defect', {
        ...rule('4.3', 'file', ({ part, type }) => type === 'audio/wav' && /[^ -~]/u.test(part?.filename ?? '')),
        code: '20009',
      }),
  ],
})
