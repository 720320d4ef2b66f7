import { succeeded } from '../core/envelope.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { broken, held, type Law, type Ruling } from '../core/limits/laws.ts'
import { join, lostFor, nothingFound } from '../core/findings.ts'
import { isCalledWrong, refusalOf } from '../core/refusal.ts'
import { OTHER } from '../core/tally.ts'
import { wavFile } from '../core/wav.ts'
import { askPatiently } from './limits/patience.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type UploadCount = LawCount | 'uploads' | 'upload_bytes'
export type UploadTime = 'upload_ms' | 'upload_large_ms'

/** Bytes of the files, from a word to half a minute of speech; each is longer by up to so many samples, so that sizes tell files apart. */
const SIZES = [4_046, 40_302, 200_518, 1_000_990]
const LONGER = 400
const LARGE = 200_000

/** The type of what is uploaded by each of its names; the interface does not say which of them is told (2.8). */
const WAV_TYPES = new Set(['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/x-pn-wav', 'audio/vnd.wave'])

/** Of RFC 3339; whether there is such a day is for the judge of what was recorded. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

const about = ['upload-refused', 'file-size-wrong', 'file-type-wrong', 'file-ids-shared'] as const

/** Uploads audio files. They can't be deleted: the interface has no operation for it. */
export const uploads: Scenario<UploadCount, UploadTime> = {
  name: 'uploads',
  about: 'Uploads WAV files of several sizes, two in each iteration; the interface has no way to delete them.',
  measures: () => ({
    counts: {
      ...lawCounts,
      // `unserved`: by a 5xx, with all retries.
      uploads: ['accepted', 'refused', 'unserved', OTHER],
      upload_bytes: ['accepted', OTHER],
    },
    times: ['upload_ms', 'upload_large_ms'],
  }),
  judges_times: false,
  price: () => ({ requests: 2, sessions: 0 }),
  arrival: { kind: 'rate' },
  needs: 'audio_files',
  exceeds: [],
  iterate,
  judge: (tally) =>
    join([
      judgeLaws(tally, about, 'no upload was accepted, so there was nothing to judge'),
      {
        ...nothingFound,
        invalid: lostFor(tally.total('uploads', ['refused']), tally.total('uploads'), 'uploads were refused'),
      },
    ]),
}

interface Uploaded {
  /** What the answer shows of it. */
  readonly shown: { readonly [field: string]: unknown }
  /** Bytes. */
  readonly sent: number
}

async function iterate(machine: Machine<UploadCount, UploadTime>): Promise<void> {
  const size = sizeOf(machine)
  // Files of one size are two all the same, and sizes that were mixed up show only where there are two.
  const another = machine.random() < 0.5 ? size : sizeOf(machine)
  // At once: ids that are made of the time are the same only then.
  const files = (await Promise.all([upload(machine, size, 'a'), upload(machine, another, 'b')])).filter(
    (one) => one !== undefined,
  )
  countRulings(machine.tally, files.flatMap(judgeFile))
  const [one, other] = files
  if (one === undefined || other === undefined) return
  const law: Law = 'file-ids-shared'
  countRulings(machine.tally, [
    one.shown['file_id'] === other.shown['file_id'] ? broken(law, 'two files with one id') : held(law),
  ])
}

function sizeOf({ random }: Pick<Machine, 'random'>): number {
  const [kind, longer] = [Math.floor(random() * SIZES.length), Math.floor(random() * LONGER)]
  return (SIZES[kind] ?? LARGE) + 2 * longer
}

async function upload(
  machine: Machine<UploadCount, UploadTime>,
  size: number,
  which: 'a' | 'b',
): Promise<Uploaded | undefined> {
  const bytes = wavFile(size, Math.floor(machine.random() * 2 ** 31), `${machine.name}-${which}`)
  const file = { field: 'file', name: 'tone.wav', type: 'audio/wav', bytes }
  const answer = await askPatiently(machine, {
    operation: 'upload-audio',
    method: 'POST',
    path: '/v1/files/audios',
    file,
  })
  const accepted = succeeded(answer)
  const refused = refusalOf(answer) === 'server' ? 'unserved' : 'refused'
  machine.tally.count('uploads', accepted ? 'accepted' : refused)
  // Some codes say that it was the file; others that it was not its time.
  if (isCalledWrong(answer)) countRulings(machine.tally, [broken('upload-refused', answer.code)])
  if (!accepted) return undefined
  countRulings(machine.tally, [held('upload-refused')])
  machine.tally.count('upload_bytes', 'accepted', bytes.byteLength)
  machine.tally.time(size >= LARGE ? 'upload_large_ms' : 'upload_ms').record(answer.ms)
  return { shown: answer.data, sent: bytes.byteLength }
}

/** Integers may be written as strings (Conventions). */
function judgeFile({ shown, sent }: Uploaded): Ruling[] {
  const { file_id: id, file_type: kind, mime_type: type, size_bytes: size, url, created_at: created } = shown
  const [named = ''] = String(type).toLowerCase().split(';')
  return [
    rule('file-id-shape', typeof id === 'string' && /^file_aud_./.test(id), id),
    rule('file-kind-wrong', kind === 'audio', kind),
    rule('file-type-wrong', WAV_TYPES.has(named.trim()), type),
    rule('file-size-wrong', Number(size) === sent, `${String(size)} for ${sent}`),
    rule('file-url-missing', typeof url === 'string', url),
    ...(typeof url === 'string' ? [rule('file-url-relative', /^https?:\/\/[^/\s]/i.test(url), url)] : []),
    rule('file-time-wrong', typeof created === 'string' && TIMESTAMP.test(created), created),
  ]
}

const rule = (law: Law, holds: boolean, got: unknown): Ruling => (holds ? held(law) : broken(law, String(got)))
