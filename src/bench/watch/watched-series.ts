import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { deviations } from '#target/deviations'
import { redRows, watchedRun } from '#testing/recording/watched-run'
import { sideBySide } from '#testing/side-by-side'
import { readOptions } from '../command-line.ts'
import shownBy from '../../../reports/shown-by.json' with { type: 'json' }

// Whether the rules see through the recording proxy what they see in a run's own trace:
// `npm run bench -- watch-rules [--variations [--together 5]] [--defects 80] [--at-once 4] [--only id]`.
const values = readOptions(
  'npm run bench -- watch-rules [--variations [--together 5]] [--defects 80] [--at-once 4] [--only <id>]',
  {
    variations: { type: 'boolean', default: false },
    together: { type: 'string', default: '5' },
    defects: { type: 'string', default: '0' },
    'at-once': { type: 'string', default: '4' },
    only: { type: 'string', multiple: true, default: [] },
  },
)
const suites = { scenarios: await loadScenarios(), rules: await loadRules() }
const known = deviations()
const atOnce = Number(values['at-once'])
const wanted = (id: string): boolean => values.only.length === 0 || values.only.includes(id)

if (values.variations) await runVariations()
if (Number(values.defects) > 0) await runDefects(Number(values.defects))

/** No legal behaviour of a service may be reported: every variation once, a few of them in each target. */
async function runVariations(): Promise<void> {
  const counts = { runs: 0, alarms: 0, differences: 0 }
  const all = known.variations.filter((one) => wanted(one.id))
  const runs = Math.ceil(all.length / Number(values.together))
  const bundles = Array.from({ length: runs }, (_, run) => all.filter((_one, place) => place % runs === run))
  await sideBySide(bundles, atOnce, async (bundle) => {
    const { own, seen } = await watchedRun({ ...suites, variations: bundle.map(({ id }) => id) })
    const warned = new Set(bundle.flatMap(({ warns = [] }) => warns))
    const red = redRows(seen).filter((row) => !warned.has(row))
    const before = new Set(redRows(own))
    counts.runs += 1
    if (red.length > 0) counts.alarms += 1
    if (red.some((row) => !before.has(row))) counts.differences += 1
    const held = `${seen.summary.pass} held (${own.summary.pass} in the run's own trace)`
    console.log(`${bundle.map(({ id }) => id).join('+')}: ${held}, red: ${red.join(' ') || 'none'}`)
  })
  console.log(
    `variations: ${all.length} in ${counts.runs} runs, ${counts.alarms} with an alarm, ${counts.differences} red only through the proxy`,
  )
}

/** Defects that the rules alone can see, each driven by what showed it in the last proof. */
async function runDefects(most: number): Promise<void> {
  const counts = { tried: 0, passive: 0, seen: 0 }
  const places = shownBy as unknown as { readonly [id: string]: string | null | undefined }
  const all = known.defects.filter((one) => wanted(one.id))
  await sideBySide(all, atOnce, async ({ id, requirement }) => {
    if (counts.passive >= most) return
    const { own, seen } = await watchedRun({ ...suites, defects: [id], only: [places[id] ?? requirement] })
    counts.tried += 1
    if (!redRows(own).includes(requirement)) return
    counts.passive += 1
    const found = redRows(seen).includes(requirement)
    if (found) counts.seen += 1
    console.log(`${id}: ${found ? 'seen' : 'NOT SEEN'} through the proxy`)
  })
  console.log(
    `defects: ${counts.tried} tried, ${counts.passive} seen by rules in the run's own trace, ${counts.seen} of them through the proxy`,
  )
}
