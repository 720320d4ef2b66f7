import { ofAllRows } from '#trace/reader'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadWithJoint } from '#scenario/plan/catalogue'
import { choose, foretoldBy } from '#scenario/plan/choose'
import { rowOf } from '#scenario/plan/known'
import { readFinds } from '#scenario/plan/finds'
import { loadRules } from '#scenario/plan/load-rules'
import { select } from '#scenario/plan/selection'
import { driveTarget } from '#scenario/run/drive'
import { seeded } from '#scenario/runner/random'
import type { Profile } from '#spec/profile'
import { profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { VARIATIONS } from '#target/variations/variations'
import { sideBySide } from '#testing/side-by-side'
import { onSimulatedTarget } from '#testing/simulated-target'
import { readWords } from './command-line.ts'

// Whether a gate finds what it foretold, on one key: `npm run bench -- gate-kills 150` runs every mistake that is
// foretold for 150 requests beside those of the chosen scenarios that claim its row; `… 150 300` runs 300 mistakes, drawn
// from all, beside the whole choice; `… 150 0 variations` runs each legal variation beside it, of which nothing may fail.
const usage = 'npm run bench -- gate-kills [requests [mistakes to draw [variations]]]'
const [requests, drawn, kind] = readWords(usage, '150', '0', 'mistakes')
const [scenarios, rules, finds] = [await loadWithJoint(), await loadRules(), readFinds()]
const beside = 6

const oneKey = (profile: Profile): Profile => ({ ...profile, keys: { primary: profile.keys.primary ?? '' } })

const reference = await startTarget({ tls: false })
const profile = oneKey(profileOf(reference))
await reference.stop()
const { selected } = select({ scenarios, profile, keys: ['primary'], tier: 'standard', only: [], requirements: [] })
const choice = choose({ candidates: selected, finds, profile, budget: { requests: Number(requests) } })
if (kind === 'variations') await countReported()
else await countFound()

async function countReported(): Promise<void> {
  const ids = VARIATIONS.map(({ id }) => id)
  const reported: string[] = []
  await sideBySide(ids, beside, async (variation) => {
    const failed = await failedWith({ variations: [variation] }, [])
    if (failed.size > 0) reported.push(`${variation}: ${[...failed].join(', ')}`)
  })
  console.log(`--budget ${requests}: ${reported.length} of ${ids.length} correct targets reported`)
  for (const one of reported) console.log(`reported: ${one}`)
}

async function countFound(): Promise<void> {
  const foretold = foretoldBy(choice, finds, profile)
  const mistakes = Number(drawn) > 0 ? draw(Object.keys(finds.mistakes), Number(drawn)) : [...foretold]
  const missed: string[] = []
  let found = 0
  await sideBySide(mistakes, beside, async (mistake) => {
    const shown = (await isFound(mistake)) || (foretold.has(mistake) && (await isFound(mistake)))
    if (shown) found += 1
    else if (foretold.has(mistake)) missed.push(mistake)
  })
  const asked = mistakes.filter((one) => foretold.has(one)).length
  const share = ((1 - missed.length / Math.max(1, asked)) * 100).toFixed(1)
  console.log(
    `--budget ${requests}: of ${mistakes.length} mistakes ${asked} were foretold, of which ${share} % were found; ${found} were found in all`,
  )
  for (const one of missed) console.log(`missed: ${one}`)
}

async function isFound(mistake: string): Promise<boolean> {
  const failed = await failedWith({ defects: [mistake] }, Number(drawn) > 0 ? [] : claiming(mistake))
  return failed.has(rowOf(mistake))
}

/** Rows that turned red or yellow on a target that deviates. @param only scenarios; none for the whole choice */
async function failedWith(
  deviation: { readonly defects?: readonly string[]; readonly variations?: readonly string[] },
  only: readonly string[],
): Promise<ReadonlySet<string>> {
  return onSimulatedTarget(deviation, async (driven) => {
    const { trace } = await driveTarget({
      ...driven,
      profile: oneKey(driven.profile),
      scenarios: choice.selected,
      only,
      left_out: choice.left_out,
      seed: 1,
    })
    const { requirements } = judge(ofAllRows(trace), register(), rules)
    const failed = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    return new Set(failed.map(({ id }) => id))
  })
}

/** Those of the choice that are meant to show it; all of them where none is. */
function claiming(mistake: string): readonly string[] {
  return choice.selected.filter(({ proves }) => proves.some((row) => row === rowOf(mistake))).map(({ id }) => id)
}

function draw(mistakes: readonly string[], count: number): string[] {
  const [random, left] = [seeded(1, 'mistakes for a gate'), [...mistakes]]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)).flat()
}
