import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLoopback } from '#client/base-address'
import { sentenceOf } from '#judge/register'
import type { Results } from '#judge/results'
import { indexTrace } from '#judge/trace-index'
import { ctrfReport } from '#report/ctrf'
import { resender } from '#report/curl'
import { githubReport } from '#report/github'
import { junitReport } from '#report/junit'
import { reportPage } from '#report/page/report-page'
import type { ComparedRun, TracePlaces } from '#report/page/shown-run'
import { durationsIn } from '#report/row-facts'
import { isEmbeddedKey } from '#target/profile'
import { textAt } from '#trace/json'
import { againLines, shownByFiles } from './check/again-lines.ts'
import { uploadsFolder } from './check/out-folder.ts'
import { replayLine } from './replay/replay-line.ts'
import { readResults } from './read-results.ts'
import { type FileKind, reportFiles } from './report-files.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { Shell } from './shell.ts'
import { writeNamed } from './named-files.ts'
import { usage } from './stop.ts'

export interface ReportPageOptions {
  readonly report: readonly FileKind[]
  readonly trace?: string
  readonly out?: string
}

/**
 * Writes the page of a run that is over, or what other readers want of it.
 *
 * @throws Stop (2) for files that are not what they must be
 */
export function writeReportFiles(files: readonly string[], options: ReportPageOptions, shell: Shell): number {
  const [first = '', ...others] = files
  const kinds = options.report.length === 0 ? (['html'] as const) : [...new Set(options.report)]
  if (options.out !== undefined && kinds.length > 1)
    throw usage('--out names one file, and several reports are asked for; leave it out, or ask for one')
  if (others.length > 0 && kinds.some((kind) => kind !== 'html'))
    throw usage('only the page sets several results side by side; give one results.json, or --report html alone')
  const results = readResults(first, first)
  const trace = traceOf(results, first, options.trace, shell)
  for (const kind of kinds) {
    const out = options.out ?? join(dirname(first), reportFiles[kind])
    const text = kind === 'html' ? pageOf(results, trace, others, shell) : textOf(kind, results, trace)
    writeNamed(out, text, `--out ${out}`)
    shell.out(`${out}\n`)
  }
  return 0
}

function pageOf(results: Results, trace: TracePlaces | undefined, others: readonly string[], shell: Shell): string {
  return reportPage(
    { results, trace, text: sentenceOf, named: namedFor(results) },
    others.map((file) => otherRun(file, shell)),
  )
}

/** The profile is not known any more, but a line that is pasted must not go to the embedded target instead. */
function namedFor({ target: { base_url, profile } }: Results): readonly string[] {
  if (!URL.canParse(base_url)) return []
  const isEmbedded = isLoopback(new URL(base_url).hostname) && isEmbeddedKey(textAt(profile, '/keys/primary'))
  return isEmbedded ? [] : ['--target', base_url]
}

const writers = { junit: junitReport, ctrf: ctrfReport, github: githubReport } as const

function textOf(kind: Exclude<FileKind, 'html'>, results: Results, trace: TracePlaces | undefined): string {
  const index = trace?.index
  return writers[kind](results, {
    resend: trace?.resend ?? (() => undefined),
    ...(trace?.replay === undefined ? {} : { replay: trace.replay }),
    // How long a row took is in the trace alone.
    durationOf: index === undefined ? () => 0 : durationsIn(index, (line) => index.entries[line - 1]?.t ?? 0),
    trace: trace?.name ?? 'trace.ndjson',
    text: sentenceOf,
  })
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
  const replay = (id: string) =>
    existsSync(join(folder, `${id}.json`)) ? replayLine(folder, id, namedFor(results)) : undefined
  const uploads = join(folder, uploadsFolder)
  const curl = resender(entries, base_url, profile, existsSync(uploads) ? uploads : undefined)
  const index = indexTrace(entries)
  const resend = againLines({ profile, index, shownBy: shownByFiles(folder), folder, curl })
  return { index, resend, replay, name: basename(path) }
}
