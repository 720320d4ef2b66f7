import { appendFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import type { Replay } from '#replay/replay-file'
import { annotations } from '#report/annotations'
import { indexTrace, type TraceIndex } from '#judge/trace-index'
import { type Baseline, conclude } from '#report/conclusion'
import { ctrfReport } from '#report/ctrf'
import { resender } from '#report/curl'
import { githubReport } from '#report/github'
import { junitReport } from '#report/junit'
import { reportPage } from '#report/page/report-page'
import { refusedMedia } from '#report/refused-media'
import { durationsIn } from '#report/row-facts'
import { terminalReport } from '#report/terminal'
import { loadRules } from '#scenario/plan/load-rules'
import type { Entry } from '#trace/entry'
import { sentenceOf } from '#judge/register'
import type { ReportKind } from './options.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { replayLine } from '../replay/replay-line.ts'
import { againLines, shownByFiles } from './again-lines.ts'
import { writeAllure } from './allure-folder.ts'
import { type OutFolder, shown } from './out-folder.ts'
import { writeReplays } from './write-replays.ts'

export interface ReportOptions {
  readonly report: readonly ReportKind[]
  readonly requireAll: boolean
  readonly known?: Baseline
  /** As a `Subject` has them. */
  readonly embedded: boolean
  readonly named: readonly string[]
}

/**
 * Writes the reports that were asked for, and shows the end of the run.
 *
 * @returns the exit code of the run
 */
export async function writeReports(
  results: Results,
  entries: readonly Entry[],
  out: OutFolder,
  options: ReportOptions,
  shell: Shell,
): Promise<number> {
  const { requireAll, known, embedded, named } = options
  const limits = known === undefined ? { requireAll } : { requireAll, baseline: known }
  const rules = await loadRules()
  const index = indexTrace(entries)
  const replays = await tryReplays(results, index, rules, out, shell)
  const replay = (id: string) => (replays.has(id) ? replayLine(shown(out.replays), id, named) : undefined)
  const curl = resender(entries, results.target.base_url, results.target.profile, shown(out.uploads))
  const { profile } = results.target
  const resend = againLines({ profile, index, shownBy: shownByFiles(out.replays), folder: shown(out.replays), curl })
  const durationOf = durationsIn(index, (line) => entries[line - 1]?.t ?? 0)
  const notes = refusedMedia(index, profile)
  const shared = { resend, replay, durationOf, trace: out.shownTrace, text: sentenceOf, notes, ...limits }
  const stepSummary = shell.env['GITHUB_STEP_SUMMARY'] ?? ''
  const allure = async () => writeAllure(out.allure, results, entries, { ...shared, rules })
  const page = () => {
    const trace = { index, resend, replay, name: basename(out.trace) }
    return reportPage({ results, trace, text: sentenceOf, named, ...limits })
  }
  const jobs: readonly (readonly [boolean, string, () => void | Promise<void>])[] = [
    [options.report.includes('html'), out.page, () => writeWhole(out.page, page())],
    [options.report.includes('junit'), out.junit, () => writeWhole(out.junit, junitReport(results, shared))],
    [options.report.includes('ctrf'), out.ctrf, () => writeWhole(out.ctrf, ctrfReport(results, shared))],
    [options.report.includes('github'), out.summary, () => writeWhole(out.summary, githubReport(results, shared))],
    [options.report.includes('allure'), out.allure.results, allure],
    [stepSummary !== '', stepSummary, () => appendFileSync(stepSummary, githubReport(results, shared))],
  ]
  for (const [wanted, file, write] of jobs) if (wanted) await attempt(file, write, shell)
  shell.out(terminalReport(results, { ...shared, paint: shell.paint, embedded }))
  if (shell.env['GITHUB_ACTIONS'] === 'true') shell.out(annotations(results, known?.failed ?? new Set(), sentenceOf))
  return conclude(results, limits).exit
}

/** Replay files that cannot be written are no reason to lose the verdict either. */
async function tryReplays(
  results: Results,
  index: TraceIndex,
  rules: readonly Rule[],
  out: OutFolder,
  shell: Shell,
): Promise<ReadonlyMap<string, Replay>> {
  let replays: ReadonlyMap<string, Replay> = new Map()
  await attempt(out.replays, () => void (replays = writeReplays(results, index, rules, out)), shell)
  return replays
}

/** A report that cannot be written is no reason to lose the verdict. */
async function attempt(file: string, write: () => void | Promise<void>, shell: Shell): Promise<void> {
  try {
    await write()
  } catch (error) {
    shell.err(`greenroom: ${file} cannot be written: ${fileTrouble(error)}\n`)
  }
}
