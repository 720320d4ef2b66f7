import { loadScenarios } from '#scenario/plan/catalogue'
import { cheapest } from '#scenario/plan/cheapest'
import { readFinds } from '#scenario/plan/finds'
import { outlayOf } from '#scenario/plan/outlay'
import { expectedOf } from '#scenario/plan/plan'
import { select, type Selection } from '#scenario/plan/selection'
import { type KeyName, keyNames, type Profile } from '#spec/profile'
import { requirements, type RequirementId } from '#spec/register'
import { readWords } from './command-line.ts'
import { median } from './stopwatch.ts'

// What `check --only <id>` is foretold to send, for each row by itself: `npm run bench -- prices` says for how many
// rows that is at most twelve requests, `… 40` which forty groups of scenarios most of the others come from.
const [shown] = readWords('npm run bench -- prices [groups of dear rows to show]', '0')
const groups = Number(shown)
const most = 12
const [scenarios, finds, ids] = [await loadScenarios(), readFinds(), [...requirements.keys()]]

for (const keys of [['primary'], keyNames] as const) {
  const profile = profileWith(keys)
  const dear = new Map<string, number>()
  const prices = ids.flatMap((row) => {
    const { selected, left_out = {} } = narrowedTo(row, keys, profile)
    if (selected.length === 0) return []
    const { requests } = outlayOf(selected, left_out, profile)
    const group = selected.map((one) => `${one.id} ${expectedOf(one, left_out)}`).join(', ')
    if (requests > most) dear.set(group, (dear.get(group) ?? 0) + 1)
    return [requests]
  })
  const cheap = prices.filter((price) => price <= most).length
  console.log(`keys ${keys.length}: ${cheap} of ${prices.length} rows at most ${most}, median ${median(prices)}`)
  for (const [group, count] of [...dear].toSorted(([, one], [, other]) => other - one).slice(0, groups)) {
    console.log(`  ${count} rows: ${group}`)
  }
}

function profileWith(keys: readonly KeyName[]): Profile {
  const media = 'https://media.example'
  return {
    base_url: 'https://target.example',
    keys: Object.fromEntries(keys.map((key) => [key, key.toUpperCase()])),
    media: { image_url: `${media}/a.png`, audio_url: `${media}/a.wav`, voice_sample: 'a.wav' },
    triggers: { moderated_text: 'a', failing_voice_name: 'b', tool_call_text: 'c' },
  }
}

function narrowedTo(row: RequirementId, keys: readonly KeyName[], profile: Profile): Selection {
  const all = select({ scenarios, profile, keys, tier: 'standard', only: [row], requirements: ids })
  return cheapest(all, { only: [row], finds, profile })
}
