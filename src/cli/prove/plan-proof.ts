import { requirements } from '../../law/register.ts'
import { typicalOf } from '../../scenario/plan.ts'
import { seeded } from '../../scenario/random.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Defect, Variation } from '../../target/deviation.ts'
import type { Job } from './job.ts'

export interface ProofWishes {
  /** Ids (or parts of ids) of defects and variations; empty for all. */
  readonly only: readonly string[]
  readonly seed: number
  /** How many random pairs of variations. */
  readonly pairs: number
  /** Every defect once more on the target that answers at once. */
  readonly instant: boolean
}

/** All jobs of a proof: each defect beside what can show it, each variation and some pairs with everything. */
export function planProof(
  defects: readonly Defect[],
  variations: readonly Variation[],
  scenarios: readonly Scenario[],
  wishes: ProofWishes,
): Job[] {
  const wanted = (id: string): boolean => wishes.only.length === 0 || wishes.only.some((part) => id.includes(part))
  const broken = defects
    .filter((defect) => wanted(defect.id))
    .flatMap((defect) => defectJobs(defect, scenarios, wishes))
  const legal = variations.filter((variation) => wanted(variation.id)).map(({ id }) => variationJob([id], wishes.seed))
  const pairs = wishes.only.length > 0 ? [] : pairsOf(variations, wishes)
  const reference = wishes.only.length > 0 ? [] : [variationJob([], wishes.seed)]
  return [...broken, ...reference, ...legal, ...pairs]
}

function defectJobs(defect: Defect, scenarios: readonly Scenario[], wishes: ProofWishes): Job[] {
  const row = [...requirements.values()].find((one) => one.id === defect.requirement)
  // What typically sends nothing shows nothing of a target that offers everything.
  const proving = scenarios.filter(
    ({ proves, price }) => price.typical !== 0 && proves.some((id) => id === defect.requirement),
  )
  const full = row?.tier === 'full'
  const [only = [], ...wider] = waysToShow(defect.requirement, proving)
  const job: Job = {
    id: defect.id,
    kind: 'defect',
    defects: [defect.id],
    variations: [],
    requirement: defect.requirement,
    tier: full ? 'full' : 'standard',
    only,
    wider,
    seed: wishes.seed,
    waits: full ? Math.max(0, ...proving.map((scenario) => scenario.price.waits ?? 0)) : 0,
  }
  const both = wishes.instant && !full && concernsResponses(defect.requirement, proving)
  return both ? [job, { ...job, id: `${job.id} (instant)`, variations: ['instant'] }] : [job]
}

/**
 * The cheapest scenario that can show the defect, then all of them, then a whole run: rules judge whatever any scenario
 * makes happen.
 */
function waysToShow(requirement: string, proving: readonly Scenario[]): readonly (readonly string[])[] {
  const [cheapest] = proving.toSorted((left, right) => costOf(left) - costOf(right))
  if (cheapest === undefined) return [[]]
  return proving.length === 1 ? [[cheapest.id], []] : [[cheapest.id], [requirement], []]
}

/** Waiting weighs as much as many requests. */
function costOf({ price, tier }: Scenario): number {
  return typicalOf(price) + 20 * (price.waits ?? 0) + (tier === 'full' ? 10_000 : 0)
}

/** `instant` changes how responses come over the control channel, and nothing else. */
function concernsResponses(requirement: string, proving: readonly Scenario[]): boolean {
  return [requirement, ...proving.map(({ id }) => id)].some((id) => id.startsWith('control-channel.'))
}

function variationJob(ids: readonly string[], seed: number): Job {
  const id = ids.length === 0 ? 'reference' : ids.join(' + ')
  return { id, kind: 'variation', defects: [], variations: ids, tier: 'standard', only: [], wider: [], seed, waits: 3 }
}

function pairsOf(variations: readonly Variation[], { pairs, seed }: ProofWishes): Job[] {
  const random = seeded(seed, 'pairs of variations')
  const jobs = new Map<string, Job>()
  for (let tries = 0; jobs.size < pairs && tries < pairs * 10; tries += 1) {
    const [left, right] = [variations[random(variations.length)], variations[random(variations.length)]]
    if (left === undefined || right === undefined || left === right) continue
    const job = variationJob([left.id, right.id], seed)
    jobs.set(job.id, job)
  }
  return [...jobs.values()]
}
