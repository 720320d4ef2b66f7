import { callOf } from '#judge/calls'
import { exchangesOf } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import { judgeShape, type ShapeRows } from '#judge/shape-rule'
import { judgeMade } from '#judge/timing/made'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import { at } from '#trace/json'
import { isTaken, type TakenUpload, uploadsOf } from './uploads.ts'

const otherwise: RequirementId = 'audio-files.file.object'

/** Which row speaks about which place of an audio file (2.8). */
const table: ShapeRows = {
  rows: {
    'audio-files.file.id-string': ['/file_id'],
    'audio-files.file.id-shaped': ['/file_id#pattern'],
    'audio-files.file.type-audio': ['/file_type'],
    'audio-files.file.mime-type-string': ['/mime_type'],
    'audio-files.file.size-bytes-integer': ['/size_bytes'],
    'audio-files.file.url-string': ['/url'],
    'audio-files.file.url-absolute': ['/url#pattern'],
    'audio-files.file.created-at-timestamp': ['/created_at'],
  },
  otherwise,
}

const exact: RequirementId = 'audio-files.file.size-bytes-exact'
const notAhead: RequirementId = 'audio-files.file.created-at-not-ahead'

/** What belongs to a file alone, unless another one has the same bytes. */
const own = [
  ['file_id', 'audio-files.file.ids-distinct'],
  ['url', 'audio-files.file.urls-distinct'],
] as const satisfies readonly (readonly [field: string, row: RequirementId])[]

/** Rows that any accepted upload bears out, or that two of them do. */
export const fileRows: readonly RequirementId[] = [
  ...(Object.keys(table.rows) as RequirementId[]),
  otherwise,
  exact,
  notAhead,
  ...own.map(([, row]) => row),
]

/** The audio file that an upload returns (2.8). */
export const file: Rule = {
  id: 'audio-files.file',
  proves: fileRows,
  judge(trace, report) {
    const taken = uploadsOf(trace).filter(isTaken)
    for (const upload of taken) {
      const { data, line } = upload.answer
      const value = data ?? null
      judgeShape(
        { value, line, scenario: upload.scenario },
        validate('rest/upload-audio.response', value),
        table,
        report,
      )
      judgeSize(upload, report)
    }
    for (const [field, row] of own) judgeOwn(taken, field, row, report)
    for (const record of exchangesOf(trace, 'upload-audio')) {
      for (const attempt of record.attempts) judgeMade(notAhead, callOf(record, attempt), trace, report)
    }
  },
}

/** `size_bytes`, a number or a string of one, is the number of bytes that were sent. */
function judgeSize({ answer, file: sent, scenario }: TakenUpload, report: Report): void {
  const bytes = at(sent, '/bytes')
  const said = at(answer.data, '/size_bytes')
  if (typeof bytes !== 'number' || (typeof said !== 'number' && typeof said !== 'string')) return
  if (!/^\d+$/.test(String(said))) return
  if (Number(said) === bytes) report.held(exact, answer.line)
  else report.broken(exact, { expected: String(bytes), got: JSON.stringify(said), lines: [answer.line], scenario })
}

function judgeOwn(
  taken: readonly TakenUpload[],
  field: (typeof own)[number][0],
  row: RequirementId,
  report: Report,
): void {
  const owners = new Map<string, TakenUpload>()
  for (const upload of taken) {
    const shown = at(upload.answer.data, `/${field}`)
    if (typeof shown !== 'string') continue
    // "Scoped to the workspace" (1.6) may be the id as well, but a URL leads to one place.
    const name = field === 'file_id' ? JSON.stringify([workspaceOf(upload.key), shown]) : shown
    const other = owners.get(name)
    owners.set(name, upload)
    if (other === undefined || bytesOf(other) === undefined || bytesOf(other) === bytesOf(upload)) continue
    report.broken(row, {
      expected: `another \`${field}\` for other bytes`,
      got: 'the same one',
      lines: [other.answer.line, upload.answer.line],
      scenario: upload.scenario,
    })
  }
  const [first, second] = [...new Map(taken.map((upload) => [bytesOf(upload), upload])).values()]
  if (owners.size > 1 && first !== undefined && second !== undefined) {
    report.held(row, first.answer.line, second.answer.line)
  }
}

function bytesOf({ file: sent }: TakenUpload) {
  return at(sent, '/sha256')
}
