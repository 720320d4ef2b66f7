import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { indexTrace } from '#judge/trace-index'
import { makeReplay } from '#replay/make-replay'
import { requestsIn, stepsOf } from '#replay/replay-file'
import { sendAgain } from '#replay/send/send-again'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import type { Scenario } from '#scenario/author/scenario'
import { driveTarget } from '#scenario/run/drive'
import { deviations } from '#target/deviations'
import { inFolder } from '#testing/new-folder'
import { sideBySide } from '#testing/side-by-side'
import { onSimulatedTarget } from '#testing/simulated-target'
import { ofAllRows, type Trace } from '#trace/reader'
import { readOptions } from '../command-line.ts'
import shownBy from '../../../reports/shown-by.json' with { type: 'json' }

// How many defects `replay` shows again at the first try, and that it shows none on a correct target:
// npm run bench:replay -- [--every n] [--from n] [--only part of an id] [--beside n] [--verbose]

interface Told {
  readonly id: string
  readonly requirement: string
  readonly again: string
  readonly length: string
  readonly correct: string
  readonly requests: number
  readonly short: number
  readonly whole: number
}

const values = readOptions('npm run bench:replay [-- --every 7 --from 0 --only <part of an id> --beside 6 --verbose]', {
  every: { type: 'string', default: '7' },
  from: { type: 'string', default: '0' },
  only: { type: 'string', default: '' },
  beside: { type: 'string', default: '6' },
  verbose: { type: 'boolean', default: false },
})

const hints: { readonly [id: string]: string | { readonly scenario?: string } } = shownBy as never
const known = deviations().defects
const sample = known.filter(
  ({ id }, place) => id.includes(values.only) && (place - Number(values.from)) % Number(values.every) === 0,
)
const [scenarios, rules] = await Promise.all([loadScenarios(), loadRules()])
summarise(await sideBySide(sample, Number(values.beside), told))

async function told({ id, requirement }: (typeof sample)[number]): Promise<Told> {
  const one = await tryDefect(id, requirement).catch((error: unknown) => failed(id, requirement, String(error)))
  const short = `${one.short}/${one.whole} requests`
  if (values.verbose || one.again !== 'reproduced' || one.correct !== 'not-reproduced') {
    console.log(
      `${one.id} (${one.requirement}): ${one.again} (${one.length}); correct: ${one.correct}; ${short}; ${one.requests} sent`,
    )
  }
  return one
}

function failed(id: string, requirement: string, again: string): Told {
  return { id, requirement, again, length: '', correct: '', requests: 0, short: 0, whole: 0 }
}

async function tryDefect(id: string, requirement: string): Promise<Told> {
  return inFolder(async (uploads) => {
    const trace = await drive([id], { only: onlyOf(id, requirement), uploads })
    const index = indexTrace(trace.entries)
    const results = judge(trace, register(), rules)
    const row = [...results.requirements, ...results.unscored].find((one) => one.id === requirement)
    if (row?.failures === undefined) return failed(id, requirement, `not shown: ${row?.verdict} ${row?.reason}`)
    const replay = makeReplay(row, { index, results, rules, register: register().rows })
    if (replay === undefined) return failed(id, requirement, 'not cut')
    const again = await onSimulatedTarget({ defects: [id] }, (target) =>
      sendAgain(replay, { ...target, rules, uploads }),
    )
    const correct = await onSimulatedTarget({}, (target) => sendAgain(replay, { ...target, rules, uploads }))
    const sent = again.traces.reduce((sum, one) => sum + one.entries.filter(({ kind }) => kind === 'request').length, 0)
    return {
      id,
      requirement,
      again: again.outcome.is === 'undecided' ? `undecided: ${again.outcome.reason}` : again.outcome.is,
      length: again.length,
      correct:
        correct.outcome.is === 'reproduced'
          ? `REPRODUCED by ${correct.length}: ${correct.outcome.expected} / ${correct.outcome.got}`
          : correct.outcome.is === 'undecided'
            ? `undecided: ${correct.outcome.reason}`
            : correct.outcome.is,
      requests: sent,
      short: requestsIn(stepsOf(replay, 'short')),
      whole: requestsIn(replay.steps),
    }
  })
}

function onlyOf(id: string, requirement: string): readonly string[] {
  const hint = hints[id]
  const hinted = typeof hint === 'string' ? hint : hint?.scenario
  if (hinted !== undefined && scenarios.some((one: Scenario) => one.id === hinted)) return [hinted]
  return [requirement]
}

async function drive(
  defects: readonly string[],
  more: { readonly only: readonly string[]; readonly uploads: string },
): Promise<Trace> {
  const row = register().rows.get(more.only[0] ?? '')
  const scenario = scenarios.find(({ id }) => id === more.only[0])
  const tier = row?.tier === 'full' || scenario?.tier === 'full' ? 'full' : 'standard'
  const { trace } = await onSimulatedTarget({ defects }, (target) =>
    driveTarget({ ...target, ...more, tier, seed: 1, scenarios }),
  )
  return ofAllRows(trace)
}

function summarise(all: readonly Told[]): void {
  const shown = all.filter(({ again }) => !again.startsWith('not shown'))
  const count = (fits: (one: Told) => boolean): number => shown.filter(fits).length
  const requests = shown.map((one) => one.requests).toSorted((a, b) => a - b)
  const at = (share: number): number => requests[Math.ceil(share * requests.length) - 1] ?? 0
  const again = count((one) => one.again === 'reproduced')
  console.log(`${shown.length} defects shown of ${all.length}`)
  console.log(`reproduced at the first try: ${again} (${((100 * again) / shown.length).toFixed(1)} %)`)
  console.log(`  by the shortest sequence: ${count((one) => one.again === 'reproduced' && one.length === 'short')}`)
  console.log(`said to be reproduced on a correct target: ${count((one) => one.correct.startsWith('REPRODUCED'))}`)
  console.log(`not reproduced on a correct target: ${count((one) => one.correct === 'not-reproduced')}`)
  console.log(`requests of a replay: median ${at(0.5)}, p90 ${at(0.9)}, most ${requests.at(-1) ?? 0}`)
}
