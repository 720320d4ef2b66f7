import type { Rule } from '#judge/rule'
import type { ChoiceId } from '#spec/register'
import { at } from '#trace/json'
import { isTaken, type TakenUpload, type Upload, uploadsOf } from './uploads.ts'

const allowed = 10_000_000
const tooMany = 10_485_761

/** What the interface leaves open about uploads, and which uploads show it. */
const left: readonly { readonly choice: ChoiceId; readonly shows: (upload: Upload) => boolean }[] = [
  {
    choice: 'audio-files.upload.image-declared-as-audio',
    shows: ({ file }) => file?.['filename'] === 'image-named.wav' && file['content_type'] === 'audio/wav',
  },
  {
    choice: 'audio-files.upload.audio-declared-as-other-audio',
    shows: ({ file }) => file?.['filename'] === 'speech.wav' && file['content_type'] === 'audio/mpeg',
  },
  {
    choice: 'audio-files.upload.undeclared-type',
    shows: ({ file }) => file?.['filename'] !== undefined && isUndeclared(file['content_type']),
  },
  {
    choice: 'audio-files.upload.type-parameters',
    shows: ({ file }) => text(file?.['content_type']).includes(';'),
  },
  { choice: 'audio-files.upload.further-fields', shows: ({ file, parts }) => file !== undefined && parts.length > 1 },
  {
    choice: 'audio-files.upload.text-as-file',
    shows: ({ file }) => file !== undefined && file['filename'] === undefined,
  },
  {
    choice: 'audio-files.size.between',
    shows: ({ file }) => Number(file?.['bytes'] ?? 0) > allowed && Number(file?.['bytes']) < tooMany,
  },
]

function isUndeclared(type: unknown): boolean {
  return type === undefined || type === 'application/octet-stream'
}

/** What this target does where the interface leaves it open. Reported, never judged. */
export const choices: Rule = {
  id: 'audio-files.choices',
  proves: [],
  judge(trace, report) {
    const uploads = uploadsOf(trace)
    for (const upload of uploads) {
      const { answer } = upload
      if (answer.kind !== 'success' && answer.kind !== 'failure') continue
      for (const { choice, shows } of left) {
        if (shows(upload)) report.saw(choice, outcome(upload), answer.line)
      }
    }
    const taken = uploads.filter(isTaken)
    for (const { answer, file } of taken) {
      const scheme = /^[a-z]+:/i.exec(text(at(answer.data, '/url')))?.[0] ?? 'none'
      report.saw('audio-files.file.url-scheme', scheme, answer.line)
      const types = `${text(file?.['content_type'] ?? 'undeclared')}: ${text(at(answer.data, '/mime_type'))}`
      report.saw('audio-files.file.mime-type-name', types.slice(0, 100), answer.line)
    }
    for (const [first, second] of pairsOfSameBytes(taken)) {
      const same = at(first.answer.data, '/file_id') === at(second.answer.data, '/file_id')
      report.saw('audio-files.file.same-bytes-twice', same ? 'one file' : 'two files', second.answer.line)
    }
  },
}

function outcome({ answer }: Upload): string {
  if (answer.kind === 'failure') return `refused with ${answer.code}`
  if (answer.kind !== 'success') return 'no answer'
  return `taken as ${text(at(answer.data, '/mime_type'))}`.slice(0, 60)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : 'no text'
}

function* pairsOfSameBytes(taken: readonly TakenUpload[]): Generator<readonly [TakenUpload, TakenUpload]> {
  const seen = new Map<string, TakenUpload>()
  for (const upload of taken) {
    const bytes = `${upload.key} ${text(upload.file?.['sha256'])}`
    const other = seen.get(bytes)
    if (other !== undefined) yield [other, upload]
    seen.set(bytes, upload)
  }
}
