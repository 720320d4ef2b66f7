import { type KeyName, keyNames, type Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import type { Tier } from '#trace/entry'
import { loadScenarios } from '#scenario/plan/catalogue'
import { costByPart } from '#scenario/plan/plan'
import { select } from '#scenario/plan/selection'
import { driveTarget } from '#scenario/run/drive'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { onSimulatedTarget } from '#testing/simulated-target'

const keySets: { readonly [name: string]: readonly KeyName[] } = {
  'one key': ['primary'],
  'two workspaces': ['primary', 'same_workspace', 'other_workspace', 'rate_limited'],
  'every key': keyNames,
}

/** Mistakes that stand in the way of many scenarios, or make them ask again. */
const broken = [
  'errors.envelope.json-object',
  'errors.envelope.code-integer',
  'errors.envelope.failures-wrapped~not-json',
  'errors.envelope.message-string~missing',
  'errors.envelope.nonzero-code-is-failure',
  'avatar-sessions.close.reaches-closed',
  'avatar-sessions.close.accepted',
  'avatar-sessions.list.shows-open-sessions',
  'limits.api-key-rate.recovers',
  'errors.code-10008.retry-after-present',
]

interface Run {
  readonly seed: number
  readonly keys: readonly KeyName[]
  readonly defects: string[]
  readonly tier: Tier
}

interface Price {
  readonly foretold: number
  readonly sent: number
  readonly most_on_one_key: number
}

/** One run in this process, bounded as `check` bounds it, in time that the target and the run skip together. */
async function priceOf({ seed, keys, defects, tier }: Run): Promise<Price> {
  return onSimulatedTarget({ seed, defects }, async (driven) => {
    const { environment } = driven
    const profile: Profile = { ...driven.profile, keys: pick(driven.profile.keys, keys) }
    const scenarios = await loadScenarios()
    const present = presentKeys(readSecrets(profile, environment))
    const ids = [...requirements.keys()]
    const { selected } = select({ scenarios, profile, keys: present, tier, only: [], requirements: ids })
    const foretold = costByPart(selected, profile).reduce((sum, { most }) => sum + most, 0)
    const { trace } = await driveTarget({ ...driven, profile, tier, seed, max_requests: foretold, scenarios })
    const sent = trace.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.key] : []))
    const byKey = Map.groupBy(sent, (key) => key)
    return { foretold, sent: sent.length, most_on_one_key: Math.max(...[...byKey.values()].map((all) => all.length)) }
  })
}

function pick(keys: Profile['keys'], names: readonly KeyName[]): Profile['keys'] {
  return Object.fromEntries(Object.entries(keys).filter(([name]) => names.some((one) => one === name)))
}

/** @throws where a run sent more than was foretold */
export async function priceSeries(seeds: number): Promise<string> {
  const over: string[] = []
  let runs = 0
  const tell = async (name: string, run: Run): Promise<void> => {
    const { foretold, sent, most_on_one_key } = await priceOf(run)
    runs += 1
    console.log(`  ${sent} sent, ${foretold} foretold, ${most_on_one_key} on one key  ${name}`)
    if (sent > foretold) over.push(name)
  }
  for (const [name, keys] of Object.entries(keySets)) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      await tell(`smoke, ${name}, seed ${seed}`, { seed, keys, defects: [], tier: 'smoke' })
      await tell(`standard, ${name}, seed ${seed}`, { seed, keys, defects: [], tier: 'standard' })
    }
    for (const id of broken) await tell(`${id}, ${name}`, { seed: 1, keys, defects: [id], tier: 'standard' })
  }
  if (over.length > 0) throw new Error(`more than foretold: ${over.join('; ')}`)
  return `${runs} runs, none sent more than was foretold`
}
