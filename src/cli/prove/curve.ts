import type { Scenario } from '#scenario/author/scenario'
import { type Budget, type Choice, choose } from '#scenario/plan/choose'
import type { Finds } from '#scenario/plan/finds'
import { select } from '#scenario/plan/selection'
import { type KeyName, keyNames, type Profile } from '#spec/profile'

/** What a gate finds for what it may spend, of a target that offers everything at 60 requests a minute a key. */
export interface CurvePoint {
  /** As the option of `check` says it. */
  readonly option: string
  readonly one_key: Point
  readonly all_keys: Point
}

type Point = Pick<Choice, 'requests' | 'seconds' | 'found' | 'of'>

const budgets = [15, 30, 60, 100, 150, 200, 300, 400, 600, 1_000]
const minutes = [1, 2, 3, 5, 10]

/** What may be spent, against what is known to be found for it. */
export function curveOf(finds: Finds, scenarios: readonly Scenario[]): readonly CurvePoint[] {
  const [one, all] = [pointsWith(['primary'], finds, scenarios), pointsWith(keyNames, finds, scenarios)]
  const asked: readonly (readonly [string, Budget])[] = [
    ...budgets.map((requests) => [`--budget ${requests}`, { requests }] as const),
    ...minutes.map((minute) => [`--within ${minute}m`, { seconds: minute * 60 }] as const),
  ]
  return asked.map(([option, budget]) => ({ option, one_key: one(budget), all_keys: all(budget) }))
}

function pointsWith(keys: readonly KeyName[], finds: Finds, scenarios: readonly Scenario[]): (budget: Budget) => Point {
  const profile: Profile = {
    base_url: 'https://target.example',
    keys: Object.fromEntries(keys.map((key) => [key, key.toUpperCase()])),
    media: {
      image_url: 'https://media.example/a.png',
      audio_url: 'https://media.example/a.wav',
      voice_sample: 'a.wav',
    },
    triggers: { moderated_text: 'a', failing_voice_name: 'b', tool_call_text: 'c' },
  }
  const { selected: candidates } = select({ scenarios, profile, keys, tier: 'standard', only: [], requirements: [] })
  return (budget) => {
    const { requests, seconds, found, of } = choose({ candidates, finds, profile, budget })
    return { requests, seconds, found, of }
  }
}

/** A table for the proof's page. */
export function curveSection(curve: readonly CurvePoint[]): readonly string[] {
  const cells = ({ requests, seconds, found, of }: Point): string =>
    `${requests} | ${seconds} s | ${found} | ${((found / of) * 100).toFixed(1)} %`
  return [
    'What `check` with one of these options is foretold to send, how long that takes at 60 requests a minute a key, and how many of the defects below it finds, on a target that offers everything and answers in time.',
    '',
    '| option | requests with one key | time | found | share | requests with every key | time | found | share |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...curve.map(({ option, one_key, all_keys }) => `| ${option} | ${cells(one_key)} | ${cells(all_keys)} |`),
  ]
}
