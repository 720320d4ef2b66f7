import { requirements } from '#spec/register'
import { typicalOf } from '#scenario/plan/plan'
import { seeded } from '#scenario/runner/random'
import type { Scenario } from '#scenario/author/scenario'
import type { Defect, Variation } from '#target/deviation'
import type { Tier } from '#trace/entry'
import { didYouMeanOneOf } from '../did-you-mean.ts'
import type { Share } from '../numbers.ts'
import { usage } from '../stop.ts'
import type { Job } from './job.ts'
import type { Hints } from './shown-by.ts'
import { changeOf, reachOf, type Visits } from './reach.ts'

export interface ProofWishes {
  /** Ids (or parts of ids) of defects and variations; empty for all. */
  readonly only: readonly string[]
  readonly seed: number
  /** How many random pairs of variations. */
  readonly pairs: number
  /** How many random bundles of five variations. */
  readonly bundles: number
  /** Every defect once more on the target that answers at once. */
  readonly instant: boolean
  readonly hints?: Hints
  /** Of the defects, and of the variations, only each n-th, from the k-th on. */
  readonly share?: Share
}

type Way = Pick<Job, 'tier' | 'only'>

/** Variations that run beside everything without much ado. */
const few = 4

/** How many legal choices come together in a bundle, as they do in a real service. */
const bundleSize = 5

/** What a proof runs. */
export interface ProofPlan {
  /** Each defect beside what can show it, and the reference with everything. */
  readonly first: readonly Job[]
  /** Each variation, some pairs and some bundles of them. */
  readonly variations: readonly Job[]
}

/** @throws Stop (2) where a pair or a bundle is named that cannot run */
export function planProof(
  defects: readonly Defect[],
  variations: readonly Variation[],
  scenarios: readonly Scenario[],
  wishes: ProofWishes,
): ProofPlan {
  const wanted = (id: string): boolean => wishes.only.length === 0 || wishes.only.some((part) => id.includes(part))
  const broken = defects
    .filter((defect, place) => wanted(defect.id) && isShared(place, wishes.share))
    .flatMap((defect) => defectJobs(defect, scenarios, wishes))
  const legal = variations
    .filter((variation, place) => wanted(variation.id) && isShared(place, wishes.share))
    .map(({ id }) => variationJob([id], wishes.seed))
  const reference = variationJob([], wishes.seed)
  const all = wishes.only.length === 0
  // A plus stands in the id of every pair and bundle, and of nothing else.
  const together = wishes.only.some((part) => part.includes('+'))
  const { pairs, bundles, seed } = wishes
  const companies = [...companiesOf(variations, pairs, 2, seed), ...companiesOf(variations, bundles, bundleSize, seed)]
  const drawn = all || together ? companies.filter(({ id }) => wanted(id)) : []
  const correct = [...legal, ...companiesOnce([...drawn, ...companiesNamed(variations, wishes, drawn)])]
  // What the reference tells saves more than its run costs, where there is much to be saved.
  return { first: all || correct.length >= few ? [reference, ...broken] : broken, variations: correct }
}

function isShared(place: number, share: Share | undefined): boolean {
  return share === undefined || place % share.of === share.place - 1
}

/** The same jobs beside what can see them, as far as a run of the reference tells. */
export function withinReach(jobs: readonly Job[], variations: readonly Variation[], visits: Visits): readonly Job[] {
  const changes = new Map(variations.map((one) => [one.id, changeOf(one)]))
  return jobs.map((job) => {
    const own = job.variations.flatMap((id) => changes.get(id) ?? [])
    const waits = own.some(({ slow }) => slow) ? waitOfSlow : job.waits
    return { ...job, waits, only: reachOf(own, visits) ?? [] }
  })
}

function defectJobs(defect: Defect, scenarios: readonly Scenario[], wishes: ProofWishes): Job[] {
  const row = [...requirements.values()].find((one) => one.id === defect.requirement)
  // What typically sends nothing shows nothing of a target that offers everything.
  const proving = scenarios.filter(
    ({ proves, price }) => price.typical !== 0 && proves.some((id) => id === defect.requirement),
  )
  const tier = row?.tier === 'full' ? 'full' : 'standard'
  const usual = waysToShow(defect.requirement, proving, tier)
  const [first = { tier, only: [] }, ...wider] = hinted(usual, wishes.hints?.[defect.id], defect.requirement, scenarios)
  const job: Job = {
    id: defect.id,
    kind: 'defect',
    defects: [defect.id],
    variations: [],
    requirement: defect.requirement,
    ...first,
    wider,
    seed: wishes.seed,
    waits: waitsOf(first, scenarios),
  }
  const both = wishes.instant && tier !== 'full' && concernsResponses(defect.requirement, proving)
  return both ? [job, { ...job, id: `${job.id} (instant)`, variations: ['instant'] }] : [job]
}

/**
 * The cheapest scenario that can show the defect, then all that are meant to, then a whole run: rules judge whatever any
 * scenario makes happen. What no scenario is meant to show may show anywhere; at last, what only the long scenarios of a
 * row make happen.
 */
function waysToShow(requirement: string, proving: readonly Scenario[], tier: Tier): readonly Way[] {
  const [cheapest] = proving.toSorted((left, right) => costOf(left) - costOf(right))
  const all: Way = { tier, only: [] }
  if (cheapest === undefined) return [{ tier: 'smoke', only: [] }, all]
  const one: Way = { tier, only: [cheapest.id] }
  if (proving.length === 1) return [one, all]
  const long = proving.filter((scenario) => scenario.tier === 'full').map(({ id }) => id)
  const late: readonly Way[] = tier === 'full' || long.length === 0 ? [] : [{ tier: 'full', only: long }]
  return [one, { tier, only: [requirement] }, all, ...late]
}

/** Seconds, more or less. */
function waitsOf({ tier, only }: Way, scenarios: readonly Scenario[]): number {
  if (only.length === 0 && tier !== 'smoke') return waitOfAll
  return Math.max(0, ...scenarios.filter(({ id }) => only.includes(id)).map(({ price }) => price.waits ?? 0))
}

/** The way that an earlier proof points out comes first. */
function hinted(
  usual: readonly Way[],
  hint: string | null | undefined,
  requirement: string,
  scenarios: readonly Scenario[],
): readonly Way[] {
  const tier = usual.find((way) => way.tier !== 'smoke')?.tier ?? 'standard'
  // Chance may have had a run of everything show what only the long scenarios do each time.
  if (hint === null) return [{ tier, only: [] }, ...usual.filter((way) => way.tier === 'full' && tier !== 'full')]
  if (hint === requirement) return [{ tier, only: [requirement] }, ...usual]
  const shows = scenarios.find(({ id }) => id === hint)
  if (shows === undefined) return usual
  return [{ tier: shows.tier === 'full' ? 'full' : tier, only: [shows.id] }, ...usual]
}

/** Waiting weighs as much as many requests. */
function costOf({ price, tier }: Scenario): number {
  return typicalOf(price) + 20 * (price.waits ?? 0) + (tier === 'full' ? 10_000 : 0)
}

/** Seconds that a run of everything takes, more or less. */
const waitOfAll = 15
/** One that comes late, after narrower ones; it must not come last as well. */
export const waitOfWider = 40
/** Where each answer, or each place, has to be waited for. */
const waitOfSlow = 60

/** `instant` changes how responses come over the control channel, and nothing else. */
function concernsResponses(requirement: string, proving: readonly Scenario[]): boolean {
  return [requirement, ...proving.map(({ id }) => id)].some((id) => id.startsWith('control-channel.'))
}

function variationJob(ids: readonly string[], seed: number): Job {
  const id = ids.length === 0 ? 'reference' : ids.join(' + ')
  return {
    id,
    kind: 'variation',
    defects: [],
    variations: ids,
    tier: 'standard',
    only: [],
    wider: [],
    seed,
    waits: waitOfAll,
  }
}

function contradictsAny({ id, contradicts }: Variation, ids: readonly string[]): boolean {
  return ids.some((other) => other !== id && contradicts?.test(other) === true)
}

/** Pairs and bundles that are named in full, such as `gzip+cap-1`; what is a part of the id of a drawn one names that. */
function companiesNamed(
  variations: readonly Variation[],
  { only, seed }: ProofWishes,
  drawn: readonly Job[],
): readonly Job[] {
  const known = new Map(variations.map((one) => [one.id, one]))
  const named = only.filter((part) => part.includes('+') && !drawn.some(({ id }) => id.includes(part)))
  return named.map((part) => {
    const members = part.split('+').map((name) => known.get(name.trim()) ?? unknownVariation(part, name.trim(), known))
    const ids = members.map(({ id }) => id)
    if (new Set(ids).size < ids.length) throw usage(`--only ${part} names a variation twice`)
    if (members.some((one) => contradictsAny(one, ids)))
      throw usage(`--only ${part}: some of its variations contradict each other: no service can be both`)
    return variationJob(ids, seed)
  })
}

function unknownVariation(part: string, name: string, known: ReadonlyMap<string, unknown>): never {
  throw usage(
    `--only ${part}: ${JSON.stringify(name)} is no variation, and no pair or bundle that is drawn has this in its id${didYouMeanOneOf(name, known.keys())}`,
  )
}

/** The same variations in another order are the same company. */
function companiesOnce(jobs: readonly Job[]): readonly Job[] {
  return [...Map.groupBy(jobs, companyOf).values()].flatMap(([first]) => first ?? [])
}

function companyOf({ variations }: Job): string {
  return variations.toSorted().join(' + ')
}

/** Random companies of so many variations each; none twice. */
function companiesOf(variations: readonly Variation[], count: number, size: number, seed: number): Job[] {
  const random = seeded(seed, size === 2 ? 'pairs of variations' : `bundles of ${size} variations`)
  const jobs = new Map<string, Job>()
  for (let tries = 0; jobs.size < count && tries < count * 10; tries += 1) {
    const members = Array.from({ length: size }, () => variations[random(variations.length)]).filter(
      (one) => one !== undefined,
    )
    const ids = members.map(({ id }) => id)
    if (new Set(ids).size < size || members.some((one) => contradictsAny(one, ids))) continue
    const job = variationJob(ids, seed)
    if (!jobs.has(companyOf(job))) jobs.set(companyOf(job), job)
  }
  return [...jobs.values()]
}
