import { partOf } from '#spec/part-of'
import type { Scenario } from '#scenario/author/scenario'
import { type Budget, type Choice, choose } from '#scenario/plan/choose'
import { rowOf, type Way, waysToFind } from '#scenario/plan/known'
import { type Finds, readFinds } from '#scenario/plan/finds'
import { isMeant } from '#scenario/plan/is-meant'
import { outlayOf } from '#scenario/plan/outlay'
import { leftOutBut, type Selection, type Skipped } from '#scenario/plan/selection'
import type { Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import { didYouMean } from '../did-you-mean.ts'
import { type Stop, usage } from '../stop.ts'

/** What a gate may spend, and which parts were changed. */
export interface GateOptions {
  /** Seconds. */
  readonly within?: number
  /** REST requests. */
  readonly budget?: number
  readonly changed?: readonly string[]
  /** Whether failures are sent again before the run ends: what that takes is left for it. */
  readonly confirm?: boolean
}

export function asksForGate({ within, budget, changed }: GateOptions): boolean {
  return within !== undefined || budget !== undefined || changed !== undefined
}

/** Whether little may be spent. */
export function isBounded({ within, budget }: GateOptions): boolean {
  return within !== undefined || budget !== undefined
}

/**
 * Narrows a selection to what finds most for what may be spent, or to what can show a mistake in the changed parts.
 *
 * @throws Stop (2) where nothing can be done for so little, or a part has no such name
 */
export function gate(selection: Selection, profile: Profile, options: GateOptions): Selection & { choice: Choice } {
  const { changed } = options
  for (const part of changed ?? []) checkPart(part)
  const concerned = changed === undefined ? undefined : new Set(changed)
  const finds = readFinds()
  const own = concerned === undefined ? [] : ownOf(selection.selected, concerned)
  const ownIds = new Set(own.map(({ id }) => id))
  const choice = choose({
    candidates: selection.selected,
    finds,
    profile,
    budget: budgetOf(options),
    ...(concerned === undefined ? {} : { wanted: (mistake) => concerns(mistake, finds, concerned, ownIds) }),
    // Without a bound, what belongs to the changed parts runs whole: the seeded mistakes are not all that there are.
    ...(isBounded(options) ? {} : { first: [...ownIds] }),
  })
  if (choice.selected.length === 0) throw tooLittle(waysToFind(finds, selection.selected, profile), profile, options)
  const done = new Set(choice.selected.flatMap(({ id, joins = [] }) => [id, ...joins]))
  const undone = selection.selected.filter(({ id, joins }) => joins === undefined && !done.has(id))
  const left = undone.map((scenario) => leftOut(scenario, options))
  const parts = choice.selected.flatMap((scenario): Skipped[] => {
    const { rows = [] } = choice.left_out[scenario.id] ?? {}
    return rows.length === 0 ? [] : [{ ...leftOut(scenario, options), rows }]
  })
  const { selected, left_out } = choice
  const skipped = selection.skipped.filter(({ scenario }) => scenario.joins === undefined)
  return { selected, left_out, skipped: [...left, ...parts, ...skipped], choice }
}

/** `150 requests on 1 key, about 2 min 30 s: finds 1,790 of 2,368 seeded mistakes (76 %)`. */
export function choiceSentence({ requests, by_key, seconds, found, of }: Choice, { changed }: GateOptions): string {
  const keys = Object.keys(by_key).length
  const share = of === 0 ? 0 : Math.floor((found / of) * 100)
  const where = changed === undefined ? '' : ` of what ${changed.join(', ')} can show`
  return `${requests} requests on ${keys} ${keys === 1 ? 'key' : 'keys'}, about ${inWords(seconds)}: finds ${number(found)} of ${number(of)} seeded mistakes${where} (${share} %)`
}

export function inWords(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

const number = (count: number): string => count.toLocaleString('en-US')

/** The part of what may be spent that stays for sending failures again. */
const forConfirming = 0.15

function budgetOf({ within, budget, confirm = false }: GateOptions): Budget {
  const share = confirm ? 1 - forConfirming : 1
  return {
    ...(within === undefined ? {} : { seconds: Math.floor(within * share) }),
    ...(budget === undefined ? {} : { requests: Math.floor(budget * share) }),
  }
}

/** Says what would do: whoever asks for too little cannot know it. */
function tooLittle(ways: ReadonlyMap<string, readonly Way[]>, profile: Profile, options: GateOptions): Stop {
  const alone = [...ways.values()]
    .flat()
    .map(({ scenario, optional }) =>
      outlayOf([scenario], leftOutBut(new Map([[scenario.id, optional]]), [scenario]), profile),
    )
  const least = [
    options.within === undefined ? '' : `--within ${Math.min(...alone.map(({ seconds }) => seconds))}s`,
    options.budget === undefined ? '' : `--budget ${Math.min(...alone.map(({ requests }) => requests))}`,
  ]
  const needed = least.filter((one) => one !== '').join(' and ')
  const hint = alone.length === 0 || needed === '' ? 'give more' : `give at least ${needed}`
  return usage(`${nameOf(options)} is too little for any scenario; ${hint}`)
}

/** The option as it is named in what is left out for it. */
function nameOf({ within, budget, changed }: GateOptions): string {
  const given = [
    within === undefined ? '' : `--within ${within}s`,
    budget === undefined ? '' : `--budget ${budget}`,
    changed === undefined ? '' : `--changed ${changed.join(',')}`,
  ]
  return given.filter((one) => one !== '').join(' ')
}

function leftOut(scenario: Scenario, options: GateOptions): Skipped {
  return { scenario, why: 'tier', what: nameOf(options) }
}

const parts = new Set([...requirements.keys()].map(partOf))

function checkPart(part: string): void {
  if (parts.has(part)) return
  const hint = didYouMean(part, [...parts]) || `; there are ${[...parts].join(', ')}`
  throw usage(`--changed: no part is called ${part}${hint}`)
}

/** Named after the part: `voices.library`, and `authentication.voices` as well. */
function belongsTo({ id }: Scenario, part: string): boolean {
  return id.split('.').includes(part)
}

/** What belongs to the changed parts; of a part that has no scenario of its own, all that shows a requirement of it. */
function ownOf(scenarios: readonly Scenario[], changed: ReadonlySet<string>): readonly Scenario[] {
  return [...changed].flatMap((part) => {
    const named = scenarios.filter((one) => belongsTo(one, part))
    return named.length > 0 ? named : scenarios.filter((one) => isMeant(one, part))
  })
}

/** A mistake in a requirement of the changed parts, or one that shows in a scenario of theirs. */
function concerns(
  mistake: string,
  { mistakes }: Finds,
  changed: ReadonlySet<string>,
  own: ReadonlySet<string>,
): boolean {
  if (changed.has(partOf(rowOf(mistake)))) return true
  return mistakes[mistake]?.some((one) => own.has(one.split(' ')[0] ?? one)) === true
}
