import { noisy } from '#load/history/testing/synthetic'
import { watch } from '#load/history/trend'
import { readOptions } from './command-line.ts'

// Measures what the history of nights finds: npm run bench -- history [--series 200]
// Series of 90 nights that vary by 5 %, with a step of 10 % in the 61st night.

const STEP_AT = 60
const values = readOptions('npm run bench -- history [--series 200]', { series: { type: 'string', default: '200' } })
const series = Number(values.series)

let foundSooner = 0
let found = 0
let alarms = 0
for (let seed = 0; seed < series; seed += 1) {
  const nights = [...noisy(seed, STEP_AT, 100), ...noisy(seed + 1_000_000, 30, 110)]
  const gotWorse = (night: number): boolean => {
    const { shift } = watch(nights.slice(0, night + 1))
    return shift !== undefined && shift.after > shift.before
  }
  let before = false
  for (let night = 0; night < STEP_AT; night += 1) {
    const now = gotWorse(night)
    if (now && !before) alarms += 1
    before = now
  }
  const first = [0, 1, 2, 3].find((after) => gotWorse(STEP_AT + after))
  if (first !== undefined) found += 1
  if (first !== undefined && first < 3) foundSooner += 1
}

const percent = (count: number): string => `${((100 * count) / series).toFixed(1)} %`
console.log(`${series} series of 90 nights that vary by 5 %, with a step of 10 %:`)
console.log(`  found in the night of the step or in one of the three after it: ${percent(found)}`)
console.log(`  found in the night of the step or in one of the two after it:   ${percent(foundSooner)}`)
console.log(`  false alarms in the 60 nights before it: ${(alarms / series).toFixed(2)} a series`)
