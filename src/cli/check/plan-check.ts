import { requirements } from '#spec/register'
import { loadScenarios, loadWithJoint } from '#scenario/plan/catalogue'
import { cheapest } from '#scenario/plan/cheapest'
import { type Finds, readFinds } from '#scenario/plan/finds'
import { unshownRows, wholeWhereUnshown } from '#scenario/plan/unshown'
import { costByPart } from '#scenario/plan/plan'
import { planRun, type RunPlan } from '#scenario/plan/run-plan'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { skipOf, stillSeen, withoutRequests, withoutScenarios } from '#scenario/plan/skip'
import type { Scenario } from '#scenario/author/scenario'
import { type FailedIn, select, type Selection, UnknownSelection } from '#scenario/plan/selection'
import type { Profile } from '#spec/profile'
import type { CheckOptions } from './options.ts'
import { usage } from '../stop.ts'
import { asksForGate, choiceSentence, gate, type GateOptions, isBounded } from './gate.ts'
import type { Subject } from './subject.ts'

export interface CheckPlan extends Selection {
  /** What was chosen among the scenarios, in a sentence; undefined where all run that were asked for. */
  readonly chosen?: string
  /** What was left out on purpose, in a sentence. */
  readonly without?: string
  readonly run: RunPlan
}

/** What of the command line the plan depends on. */
export type PlanOptions = Pick<CheckOptions, 'tier' | 'only' | 'seed' | 'maxRequests'> &
  Partial<Pick<CheckOptions, 'allScenarios' | 'skip' | 'defect'>> &
  GateOptions & {
    /** What `--failed` names. */
    readonly failed_in?: FailedIn | undefined
  }

/** Decides what a run does. @throws Stop (2) for an id that there isn't */
export async function planCheck({ profile, environment }: Subject, options: PlanOptions): Promise<CheckPlan> {
  const { tier, only, seed, maxRequests, failed_in, skip = [] } = options
  const scenarios = await (isBounded(options) ? loadWithJoint() : loadScenarios())
  const keys = presentKeys(readSecrets(profile, environment))
  try {
    const rows = [...requirements.keys()]
    const all = select({ scenarios, profile, keys, tier, only, requirements: rows, ...(failed_in && { failed_in }) })
    const skipping = skipOf(skip, scenarios)
    const left = withoutScenarios(all, skipping)
    if (left.selected.length === 0 && all.selected.length > 0) throw usage('--skip leaves nothing to drive')
    const { chosen, ...narrow } = narrowed(left, profile, options)
    const selection = skip.length === 0 ? narrow : withoutRequests(narrow, skipping)
    const { selected, left_out = {} } = selection
    const foretold = only.length === 0 ? mostOfAll(selected, profile) : Infinity
    const max_requests = Math.min(maxRequests ?? Infinity, options.budget ?? Infinity, foretold)
    const bounds = {
      ...(Number.isFinite(max_requests) ? { max_requests } : {}),
      ...(options.within === undefined ? {} : { run_ms: options.within * 1_000 }),
    }
    return {
      ...selection,
      ...(chosen && { chosen }),
      ...(skip.length === 0 ? {} : { without: skipSentence(selection, stillSeen(selection, skipping)) }),
      run: planRun({ profile, tier, only, selected, left_out, seed, ...bounds }),
    }
  } catch (error) {
    if (error instanceof UnknownSelection) {
      const hint = error.suggestion === undefined ? '; "npx greenroom list" shows them, with --scenarios too' : ''
      // A row of `--failed` comes from results that another release may have written.
      const option = failed_in?.has(error.wanted) === true ? '--failed' : '--only'
      const named = skip.includes(error.wanted) && !only.includes(error.wanted) ? '--skip' : option
      throw usage(`${named}: ${error.message}${hint}`)
    }
    throw error
  }
}

function narrowed(all: Selection, profile: Profile, options: PlanOptions): Selection & Pick<CheckPlan, 'chosen'> {
  if (asksForGate(options)) {
    const { choice, ...gated } = gate(all, profile, options)
    return { ...gated, chosen: choiceSentence(choice, options) }
  }
  if (options.only.length === 0) return all
  const finds = readFinds()
  if (!takesTheCheapest(options, finds)) return wholeWhereUnshown(all, unshownRows(options.only, finds))
  const { spared, ...enough } = cheapest(all, { only: options.only, finds, profile })
  return spared.length === 0 ? enough : { ...enough, chosen: sparedSentence(enough.selected, spared) }
}

/** What failed before is looked for where it failed, and a mistake that the proof has not seen may show anywhere. */
function takesTheCheapest(options: PlanOptions, { mistakes }: Finds): boolean {
  const { tier, allScenarios, failed_in, defect = [] } = options
  if (allScenarios === true || tier === 'full' || failed_in !== undefined) return false
  return defect.every((id) => mistakes[id] !== undefined)
}

/** A whole run keeps to what `--dry-run` foretells, whatever the target does; what is left for one row has little to spare. */
function mostOfAll(selected: readonly Scenario[], profile: Profile): number {
  return costByPart(selected, profile).reduce((sum, { most }) => sum + most, 0)
}

/** Ids of scenarios that are named; how many others there are is told. */
const named = 6

/** `2 of 5 scenarios show each seeded mistake of what is asked for; left out: …` */
function sparedSentence(selected: readonly Scenario[], spared: readonly Scenario[]): string {
  const all = selected.length + spared.length
  const shown = spared.slice(0, named).map(({ id }) => id)
  const more = spared.length > named ? ` and ${spared.length - named} more` : ''
  const show = selected.length === 1 ? 'shows' : 'show'
  return `${selected.length} of ${all} scenarios ${show} each seeded mistake of what --only names; left out: ${shown.join(', ')}${more} (--all-scenarios drives them too)`
}

/**
 * `--skip leaves out 2 scenarios, and requests of 1 other; what is not judged by it is told in the results`.
 *
 * @param seen named rows that what is driven may show all the same
 */
function skipSentence({ skipped }: Pick<CheckPlan, 'skipped'>, seen: readonly string[]): string {
  const out = skipped.filter(({ what }) => what?.startsWith('--skip ') === true)
  const whole = new Set(out.filter(({ rows }) => rows === undefined).map(({ scenario }) => scenario.id)).size
  const some = new Set(out.filter(({ rows }) => rows !== undefined).map(({ scenario }) => scenario.id)).size
  const scenarios = `${whole} ${whole === 1 ? 'scenario' : 'scenarios'}`
  const requests = some === 0 ? '' : `, and requests of ${some} ${some === 1 ? 'other' : 'others'}`
  const shown = seen.slice(0, named).join(', ')
  const more = seen.length > named ? ` and ${seen.length - named} more` : ''
  const still =
    seen.length === 0
      ? ''
      : `; what is driven may show these all the same, and they are judged then: ${shown}${more} (a failure that is known belongs into expected_failures of the profile)`
  return `--skip leaves out ${scenarios}${requests}; the results name what is not judged by it${still}`
}
