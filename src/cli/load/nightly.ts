import { dirname, join, resolve } from 'node:path'
import { nightChanges } from '#load/history/changes'
import { appendNight, readHistory } from '#load/history/history-file'
import { type Night, nightOf } from '#load/history/night'
import { otavaRuns } from '#load/history/otava'
import { nightsMissing } from '#load/history/trend'
import type { LoadReport } from '#load/load-report'
import type { LoadPlanFile } from '#spec/types/shapes.d'
import { messageOf } from '#trace/message-of'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { newJournal } from '../check/journal-place.ts'
import type { Subject } from '../check/subject.ts'
import type { NightlyOptions } from './options.ts'
import { makeFolder } from '../make-folder.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'
import { openLoadFolder, tryWrite } from './load-folder.ts'
import { loadOnce } from './load-once.ts'
import { needK6, onSubject, writeLoad } from './load.ts'
import { readNightPlan } from './night-plan.ts'
import { notOffered, planLoad } from './plan-load.ts'

type NightRun = LoadPlanFile['runs'][number]

/** Exit codes, the one that tells most first. */
const precedence: readonly number[] = [130, 4, 1, 3, 0]

/**
 * Runs a plan of several scenarios one after the other, and adds each to its history.
 *
 * @returns the worst exit code of its runs
 * @throws Stop
 */
export async function nightly(file: string, { out }: NightlyOptions, shell: Shell): Promise<number> {
  const plan = readNightPlan(file)
  const here = (path: string): string => resolve(dirname(file), path)
  const folder = out ?? here(plan.out ?? 'reports/nightly')
  const history = plan.history === undefined ? join(folder, 'history.jsonl') : here(plan.history)
  const target = plan.target === undefined || /^https?:/.test(plan.target) ? plan.target : here(plan.target)
  const options = { defect: [], variation: [], ...(target === undefined ? {} : { target }) }
  return await onSubject(options, shell, async (subject, signal) => {
    // All of it is looked at before any of it runs.
    for (const [place, run] of plan.runs.entries())
      if (idle(run, subject) === undefined) checkRun(file, place, run, subject)
    checkFolders(file, plan.runs)
    const k6 = needK6(shell)
    const exits: number[] = []
    let inapplicable = 0
    for (const [place, run] of plan.runs.entries()) {
      if (signal.aborted) break
      shell.err(`run ${place + 1} of ${plan.runs.length}: ${run.scenario} · ${run.workload}\n`)
      const why = idle(run, subject)
      if (why !== undefined) {
        shell.out(`NOT APPLICABLE ${run.scenario} · ${run.workload}: ${why}\n`)
        inapplicable += 1
        continue
      }
      const night = {
        run,
        subject,
        k6,
        shell,
        signal,
        folder: join(folder, folderOf(run)),
        history,
      }
      exits.push(await oneRun(night))
    }
    if (signal.aborted) return 130
    const exit = precedence.find((one) => exits.includes(one)) ?? 3
    shell.out(`The night: ${counted(exits, inapplicable)}; its history: ${history} (exit code ${exit})\n`)
    return exit
  })
}

/** "2 of 4 runs passed, 1 failed, 1 was invalid". */
function counted(exits: readonly number[], inapplicable: number): string {
  const having = (...codes: readonly number[]): number => exits.filter((exit) => codes.includes(exit)).length
  const [failed, invalid] = [having(1), having(3)]
  const broke = exits.length - having(0, 1, 3)
  return [
    `${having(0)} of ${exits.length} runs passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(invalid > 0 ? [`${invalid} ${invalid === 1 ? 'was' : 'were'} invalid`] : []),
    ...(broke > 0 ? [`${broke} broke off`] : []),
    ...(inapplicable > 0 ? [`${inapplicable} ${inapplicable === 1 ? 'was' : 'were'} not applicable`] : []),
  ].join(', ')
}

/** Why a run has nothing to do on this target; undefined where it has. */
function idle({ scenario: name }: NightRun, { profile }: Subject): string | undefined {
  const scenario = scenarios.get(name)
  return scenario === undefined ? undefined : notOffered(scenario, profile)
}

/** @throws Stop (2) that names the run, in words of the plan */
function checkRun(file: string, place: number, run: NightRun, subject: Subject): void {
  try {
    planLoad(run.scenario, wishesOf(run), subject)
  } catch (error) {
    const said = messageOf(error)
      .replaceAll('--weight', '"weights"')
      .replaceAll(/--(rate|seconds|processes|workload)\b/g, '"$1"')
    throw usage(`the plan ${file}, run ${place + 1}: ${said}`)
  }
}

/** @throws Stop (2) where a run would overwrite what another one left */
function checkFolders(file: string, runs: readonly NightRun[]): void {
  const names = runs.map(folderOf)
  const again = names.findIndex((name, place) => names.indexOf(name) !== place)
  if (again === -1) return
  const name = names[again] ?? ''
  throw usage(
    `the plan ${file}, runs ${names.indexOf(name) + 1} and ${again + 1}: both are ${name}, and would be one series of nights; leave one of them out, or put it into a plan of its own`,
  )
}

const folderOf = ({ scenario, workload }: NightRun): string => `${scenario}-${workload}`

interface OneRun {
  readonly run: NightRun
  readonly subject: Subject
  readonly k6: ReturnType<typeof needK6>
  readonly shell: Shell
  readonly signal: AbortSignal
  readonly folder: string
  readonly history: string
}

async function oneRun({ run, subject, k6, shell, signal, folder, history }: OneRun): Promise<number> {
  const plan = planLoad(run.scenario, wishesOf(run), subject)
  const out = openLoadFolder(folder)
  try {
    const journal = newJournal(subject.state, undefined, plan.run.run)
    const finished = await loadOnce({ plan, subject, k6, journal, shell, signal })
    const nights = signal.aborted ? [] : remember(history, finished.report, shell)
    const exit = writeLoad(finished, out, shell, nights)
    if (nights.length > 0)
      tryWrite(out.otava, `${JSON.stringify(otavaRuns(nights), undefined, 2)}\n`, (sentence) => shell.err(sentence))
    for (const sentence of changes(nights)) shell.out(`  ${sentence}\n`)
    return exit
  } finally {
    out.release()
  }
}

/** Adds this night to the history. @returns all nights of the same scenario and workload */
function remember(file: string, report: LoadReport, shell: Shell): readonly Night[] {
  const tonight = nightOf(report)
  try {
    makeFolder(dirname(file))
    appendNight(file, tonight)
    const alike = ({ scenario, workload }: Night): boolean =>
      scenario === tonight.scenario && workload === tonight.workload
    return readHistory(file).nights.filter(alike)
  } catch (error) {
    shell.err(`greenroom: the history ${file} cannot be written: ${fileTrouble(error)}\n`)
    return [tonight]
  }
}

/** What is worse or better than in the nights before, by statistics. */
function changes(nights: readonly Night[]): readonly string[] {
  // A night that says nothing is compared with no other one.
  if (nights.at(-1)?.verdict === 'invalid') return []
  const missing = nightsMissing(nights)
  if (missing > 0 && nights.length > 1)
    return [
      `not compared with the nights before yet: ${missing} more ${missing === 1 ? 'has' : 'have'} to show what is usual`,
    ]
  return nightChanges(nights).map(({ direction, text }) => `${direction} than in the nights before: ${text}`)
}

function wishesOf({ workload, processes = 1, rate, seconds, weights = {}, sample, seed }: NightRun) {
  return {
    workload,
    processes,
    weight: Object.entries(weights).map(([scenario, weight]) => `${scenario}=${weight}`),
    k6Out: [],
    ...(rate === undefined ? {} : { rate }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(sample === undefined ? {} : { sample }),
    ...(seed === undefined ? {} : { seed }),
  }
}
