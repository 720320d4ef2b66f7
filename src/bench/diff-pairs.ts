import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import { difference } from '#report/difference'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import { seeded } from '#scenario/runner/random'
import { deviations } from '#target/deviations'
import { onSimulatedTarget } from '#testing/simulated-target'
import { readWords } from './command-line.ts'

// Whether `diff` and `--baseline` say exactly what two runs say: `npm run bench -- diff 50` compares so many pairs of
// runs with some mistakes and a variation each.
const [count] = readWords('npm run bench -- diff [pairs of runs]', '50')
const pairs = Number(count)
const only = [
  'avatar-sessions.create-basics',
  'control-channel.items-basic',
  'audio-files.types',
  'control-channel.errors',
]
const [rules, { defects, variations }] = [await loadRules(), deviations()]
const random = seeded(1, 'pairs of runs')
/** Many of these show in so few scenarios. */
const near = /^(?:avatar-sessions\.(?:create|session)\.|audio-files\.file\.|errors\.|control-channel\.(?:item|error))/
const shown = defects.filter(({ requirement }) => near.test(requirement))
let [wrong, fresh, fixed] = [0, 0, 0]

for (let pair = 1; pair <= pairs; pair += 1) {
  const [before, after] = [await drawnRun(), await drawnRun()]
  const found = difference(before, after)
  const [failedBefore, failedAfter] = [failuresOf(before), failuresOf(after)]
  const expected = failedAfter.difference(failedBefore)
  const told = new Set(found.new_failures.map(({ id }) => id))
  const gone = new Set([...found.fixed, ...found.weaker].filter((one) => one.before === 'fail').map(({ id }) => id))
  const { exit } = conclude(after, { baseline: { failed: failedBefore, unjudged: new Set() } })
  const exact =
    told.symmetricDifference(expected).size === 0 &&
    gone.symmetricDifference(failedBefore.difference(failedAfter)).size === 0 &&
    (exit === 1) === expected.size > 0
  if (!exact) wrong += 1
  if (!exact) console.log(`pair ${pair}: ${[...told].join()} for ${[...expected].join()}, exit ${exit}`)
  fresh += told.size
  fixed += gone.size
}
console.log(`${pairs} pairs of runs: ${wrong} not exact; ${fresh} new failures, ${fixed} that fail no more`)

function failuresOf({ requirements }: Results): ReadonlySet<string> {
  return new Set(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id))
}

async function drawnRun(): Promise<Results> {
  const mistakes = Array.from({ length: random(4) }, () => shown[random(shown.length)]?.id ?? '')
  const deviation = {
    seed: random(1_000),
    defects: [...new Set(mistakes)],
    variations: random(2) === 0 ? [] : [variations[random(variations.length)]?.id ?? ''],
  }
  return onSimulatedTarget(deviation, async (driven) => {
    const { trace } = await driveTarget({ ...driven, only, seed: random(1_000) })
    return judge(trace, register(), rules)
  })
}
