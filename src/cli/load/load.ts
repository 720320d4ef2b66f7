import { isLoopback } from '#client/base-address'
import { findOrBuildK6, type K6 } from '#load/k6/binary'
import type { Night } from '#load/history/night'
import { loadPage } from '#load/page/load-page'
import { unknownOperation } from '#load/results/objectives'
import { summaryText } from '#load/results/summary-text'
import type { Profile } from '#spec/profile'
import { printable } from '#text/printable'
import { newJournal } from '../check/journal-place.ts'
import { findSubject, type Subject } from '../check/subject.ts'
import type { LoadOptions, LoadTargetOptions } from './options.ts'
import { didYouMean } from '../did-you-mean.ts'
import type { Shell } from '../shell.ts'
import { Stop, usage } from '../stop.ts'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { type Finished, measurable } from './finish-load.ts'
import { type LoadFolder, openLoadFolder, tryWrite } from './load-folder.ts'
import { planLoad } from './plan-load.ts'
import { loadOnce } from './load-once.ts'

/**
 * Puts a target under load, judges what came of it, and writes the results.
 *
 * @returns the exit code
 * @throws Stop
 */
export async function load(name: string, options: LoadOptions, shell: Shell): Promise<number> {
  return await onSubject(options, shell, async (subject, signal) => {
    const plan = planLoad(name, options, subject)
    const k6 = needK6(shell)
    const out = openLoadFolder(options.out)
    try {
      const journal = newJournal(subject.state, options.journal, plan.run.run)
      const finished = await loadOnce({ plan, subject, k6, journal, shell, signal })
      return writeLoad(finished, out, shell)
    } finally {
      out.release()
    }
  })
}

/** Opens the target for a command, and closes what is ours of it. @throws Stop (2) where load may not go there */
export async function onSubject<T>(
  options: LoadTargetOptions,
  shell: Shell,
  action: (subject: Subject, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal } = shell.interrupts()
  // Go takes an authority of its own choice from the environment on Linux only.
  const subject = await findSubject({ ...options, tls: process.platform === 'linux' }, shell)
  try {
    checkAllowed(subject.profile)
    checkOperations(subject.profile)
    return await action(subject, signal)
  } finally {
    await subject.stop()
  }
}

/** Load can hurt: where it goes over a network, the target's owner has to have said yes. */
export function checkAllowed({ base_url, allow_load }: Profile): void {
  if (isLoopback(URL.parse(base_url)?.hostname ?? '') || allow_load === true) return
  throw usage(
    `load goes only to targets on a loopback address, and ${printable(base_url, 200)} is none; where its owner agrees, set "allow_load": true in the profile`,
  )
}

/** What is started elsewhere does not reach this machine by a loopback address. */
export function warnOfLoopback({ base_url }: Profile, elsewhere: string, shell: Shell): void {
  if (!isLoopback(URL.parse(base_url)?.hostname ?? '')) return
  shell.err(`greenroom: ${printable(base_url, 200)} is this machine only: ${elsewhere} does not reach it there\n`)
}

/** An objective for what nothing measures would hold or miss by accident. */
export function checkOperations({ objectives = {} }: Profile): void {
  const known = measurable({ scenarios: [...scenarios.values()] })
  const unknown = unknownOperation(objectives, known)
  if (unknown === undefined) return
  throw usage(
    `objectives.latency names ${JSON.stringify(unknown)}, which no scenario measures${didYouMean(unknown, known) || `; there are ${known.join(', ')}`}`,
  )
}

/** @throws Stop where there is no k6 that runs our scripts */
export function needK6(shell: Shell): K6 {
  const k6 = findOrBuildK6((text) => shell.err(`greenroom: ${text}\n`), { ...shell.env, PATH: process.env['PATH'] })
  if ('why' in k6) throw new Stop(k6.buildFailed ? 4 : 2, k6.why)
  return k6
}

/**
 * Writes the results, the most needed first: a full disk loses no more than the page.
 *
 * @param nights earlier ones and this one
 * @returns the exit code
 */
export function writeLoad(
  { report, samples }: Finished,
  out: LoadFolder,
  shell: Shell,
  nights: readonly Night[] = [],
): number {
  const say = (sentence: string): void => shell.err(sentence)
  out.makeRoom()
  const kept = tryWrite(out.report, `${JSON.stringify(report, undefined, 2)}\n`, say)
  tryWrite(out.samples, samples, say)
  tryWrite(out.page, loadPage(report, nights), say)
  shell.out(summaryText(report))
  shell.out(`  ${out.path}: ${RESULTS} (exit code ${kept ? report.exit : 4})\n`)
  return kept ? report.exit : 4
}

const RESULTS = 'load.json, samples.ndjson, load.html'
