import type { Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { indexTrace, type TraceIndex } from '#judge/trace-index'
import type { Entry } from '#trace/entry'
import { environmentFile, categoriesFile } from './environment.ts'
import { type Case, endingOf } from './ending.ts'
import type { AllureFile, AllureResult, Recorded } from './model.ts'
import { type ResultSetting, scenarioResult } from './result.ts'
import { runResult } from './run.ts'
import type { ConclusionOptions } from '../conclusion.ts'
import type { FailurePlaces } from '../failure-text.ts'
import { type Story, storyTeller } from '../story.ts'

export interface AllureOptions extends ConclusionOptions, FailurePlaces {
  readonly rules: readonly Rule[]
  /** What allure-vitest recorded. */
  readonly recorded: readonly Recorded[]
  /** The sentence of a requirement, where the register has one. */
  readonly text: (id: string) => string | undefined
}

/** All files of ours in a folder of results begin like this, so that the next run can clear them away. */
export const ownPrefix = 'greenroom-'

/**
 * Allure results: the scenarios that vitest ran, with what the judge says of them, and those that were left out. All of it
 * is made from the trace, where secrets are replaced.
 *
 * @param write takes each file as it is made
 */
export function allureReport(
  results: Results,
  entries: readonly Entry[],
  options: AllureOptions,
  write: (file: AllureFile) => void,
): void {
  const trace = indexTrace(entries)
  const story = storyTeller(trace, options.rules)
  const setting = settingOf(results, entries, options, write)
  const told = new Set<string>()
  for (const one of casesOf(trace, story, options.recorded)) {
    const ending = endingOf(one, setting)
    if (ending.status === 'failed') for (const { requirement } of ending.breaches) told.add(requirement)
    writeResult(scenarioResult(one, ending, setting), setting)
  }
  const run = runResult(results, story(undefined), told, setting, options)
  if (run !== undefined) writeResult(run, setting)
  write(environmentFile(results, options))
  write(categoriesFile())
}

function settingOf(
  results: Results,
  entries: readonly Entry[],
  { resend, trace, text }: AllureOptions,
  write: (file: AllureFile) => void,
): ResultSetting {
  const { run, target } = results
  return {
    rows: new Map(results.requirements.map((row) => [row.id, row])),
    baseUrl: target.base_url,
    epoch: Date.parse(run.date),
    run,
    whole: run.outcome === 'completed',
    fileName: (mark, extension) => `${ownPrefix}${run.id}-${mark}-attachment.${extension}`,
    entries,
    resend,
    trace,
    text,
    write,
  }
}

/** Planned scenarios, then those that were left out for want of something; what `--only` left out was not asked for. */
function casesOf(
  { header }: TraceIndex,
  story: (scenario: string) => Story,
  recorded: readonly Recorded[],
): readonly Case[] {
  const planned = (header?.manifest ?? []).map(({ scenario, proves }) => ({
    id: scenario,
    proves,
    story: story(scenario),
    recorded: recorded.find(({ name }) => name === scenario),
  }))
  const skipped = (header?.skipped ?? []).filter(({ why }) => why !== 'only')
  return [
    ...planned,
    ...skipped.map((one) => ({
      id: one.scenario,
      proves: one.proves,
      story: story(one.scenario),
      skipped: one,
      recorded: undefined,
    })),
  ]
}

function writeResult(result: AllureResult, { run, write }: ResultSetting): void {
  write({ name: `${ownPrefix}${run.id}-${result.name}-result.json`, content: JSON.stringify(result) })
}
