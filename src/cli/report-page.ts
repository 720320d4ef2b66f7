import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { indexTrace } from '#judge/trace-index'
import { resender } from '#report/curl'
import { reportPage } from '#report/page/report-page'
import type { ComparedRun, TracePlaces } from '#report/page/shown-run'
import { againLines, shownByFiles } from './check/again-lines.ts'
import { uploadsFolder } from './check/out-folder.ts'
import { replayLine } from './replay/replay-line.ts'
import type { ReportPageOptions } from './commands/report.ts'
import { readResults } from './read-results.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { Shell } from './shell.ts'
import { fileTrouble, usage } from './stop.ts'
import { writeWhole } from './write-whole.ts'

/**
 * Writes the page of a run that is over.
 *
 * @throws Stop (2) for files that are not what they must be
 */
export function writeReportPage(files: readonly string[], options: ReportPageOptions, shell: Shell): number {
  const [first = '', ...others] = files
  const results = readResults(first, first)
  const page = reportPage(
    { results, trace: traceOf(results, first, options.trace, shell), text: (id) => register().rows.get(id)?.text },
    others.map((file) => otherRun(file, shell)),
  )
  const out = options.out ?? join(dirname(first), 'report.html')
  try {
    writeWhole(out, page)
  } catch (error) {
    throw usage(`--out ${out} cannot be written: ${fileTrouble(error)}`)
  }
  shell.out(`${out}\n`)
  return 0
}

/** A run beside the first; of its trace only the times are shown, so that one that is not at hand is no error. */
function otherRun(file: string, shell: Shell): ComparedRun {
  const results = readResults(file, file)
  const path = join(dirname(file), 'trace.ndjson')
  const trace = existsSync(path) ? readTraceFile(path) : undefined
  if (trace?.sha256 === results.run.trace) return { results, index: indexTrace(trace.entries) }
  shell.err(`greenroom: the trace of ${file} is not beside it, so the page shows nothing of its times\n`)
  return { results, index: undefined }
}

/** Without a trace the page shows less: that is said, and no error. */
function traceOf(results: Results, file: string, named: string | undefined, shell: Shell): TracePlaces | undefined {
  const path = named ?? join(dirname(file), 'trace.ndjson')
  if (named === undefined && !existsSync(path)) {
    shell.err(`greenroom: there is no trace beside ${file}, so the page shows nothing of what was sent and what came\n`)
    return undefined
  }
  const { entries, sha256 } = readTraceFile(path)
  if (sha256 !== results.run.trace)
    throw usage(`${path} is not the trace that ${file} was judged from; name its trace with --trace`)
  const { base_url, profile } = results.target
  const folder = join(dirname(file), 'replay')
  const replay = (id: string) => (existsSync(join(folder, `${id}.json`)) ? replayLine(folder, id) : undefined)
  const uploads = join(folder, uploadsFolder)
  const curl = resender(entries, base_url, profile, existsSync(uploads) ? uploads : undefined)
  const index = indexTrace(entries)
  const resend = againLines({ profile, index, shownBy: shownByFiles(folder), folder, curl })
  return { index, resend, replay, name: basename(path) }
}
