import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LoadPart } from '../../../load/core/summary.ts'
import { seeded } from '../../../load/core/random.ts'
import { judgePart } from '../../../load/scenarios/judge-part.ts'
import { longestRun } from '../../../load/scenarios/longest-run.ts'
import { correctRules } from '../../../load/testing/service/rules.ts'
import { workloads } from '../../../load/workloads.ts'
import { findOrBuildK6 } from '#load/k6/binary'
import { runK6 } from '#load/k6/run'
import { SharedIds } from '#load/results/shared-ids'
import { errorCodes, idsOf, serverEvents } from '#spec/tables'
import { startTarget } from '#target/start'
import { inFolder } from '#testing/new-folder'
import { sideBySide } from '#testing/side-by-side'
import { serveLimiter } from '#testing/limiter/serve'
import { type Case, cases, MINUTE_MS } from './mistake-cases.ts'
import { readOptions } from '../command-line.ts'

// How many seeded mistakes a real k6 finds, and what it says of correct targets:
// npm run bench:load-mistakes [-- --times 20] [--from 1] [--match PATTERN] [--width 6]

const values = readOptions('npm run bench:load-mistakes [-- --times 20 --from 1 --match <pattern> --width 6]', {
  times: { type: 'string', default: '1' },
  from: { type: 'string', default: '1' },
  match: { type: 'string', default: '' },
  width: { type: 'string', default: '6' },
})

interface Outcome {
  readonly name: string
  readonly round: number
  /** The target has no mistake. */
  readonly correct: boolean
  readonly right: boolean
  readonly verdict: string
  readonly got: readonly string[]
}

interface Server {
  readonly base_url: string
  keyOf(name: string): string
  left(): number
  stop(): Promise<void>
}

const found = findOrBuildK6((text) => console.error(text))
if ('why' in found) throw new Error(found.why)
const k6 = found.path
process.exitCode = await inFolder(main)

async function main(folder: string): Promise<number> {
  const rounds = Array.from({ length: Number(values.times) }, (_, index) => Number(values.from) + index)
  const chosen = cases.filter((one) => `${one.scenario.name} ${one.name}`.includes(values.match))
  const waiting = rounds.flatMap((round) => chosen.map((one) => ({ one, round })))
  return report(
    await sideBySide(waiting, Number(values.width), async ({ one, round }) => told(await meet(one, round, folder))),
  )
}

function told(outcome: Outcome): Outcome {
  if (!outcome.right)
    console.log(`${outcome.name}, round ${outcome.round}: ${outcome.verdict} ${outcome.got.join(', ')}`)
  return outcome
}

function report(outcomes: readonly Outcome[]): number {
  const mistakes = outcomes.filter(({ correct }) => !correct)
  const correct = outcomes.filter((one) => one.correct)
  const withVerdict = (wanted: string): Outcome[] => correct.filter(({ verdict }) => verdict === wanted)
  const [alarms, unjudged] = [withVerdict('fail').length, withVerdict('invalid').length]
  const rest = withVerdict('pass').filter(({ right }) => !right).length
  const hits = mistakes.filter(({ right }) => right).length
  const kinds = new Set(mistakes.map(({ name }) => name)).size
  console.log(
    `${kinds} mistakes met ${mistakes.length} times by k6: found ${hits} times; missed ${mistakes.length - hits}`,
  )
  console.log(
    `correct targets met ${correct.length} times: ${alarms} false alarms; not judged ${unjudged} times; sessions left open ${rest} times`,
  )
  return outcomes.every(({ right }) => right) ? 0 : 1
}

/** Starts the target, lets k6 meet it once, and judges what it wrote. */
async function meet(one: Case, round: number, folder: string): Promise<Outcome> {
  const name = `${one.scenario.name} ${one.name}`
  const server = await serve(one, round)
  try {
    const keys = one.keys(round).map((key) => ({ ...key, minute_ms: MINUTE_MS }))
    const secrets = Object.fromEntries(keys.map((key, index) => [`GREENROOM_KEY_${index}`, server.keyOf(key.name)]))
    const ids = new SharedIds()
    const run = await runK6({
      k6,
      script: `${one.scenario.name}.ts`,
      environment: {
        GREENROOM_TARGET: server.base_url,
        GREENROOM_KEYS: JSON.stringify(keys.map((key, index) => ({ ...key, env: `GREENROOM_KEY_${index}` }))),
        GREENROOM_SCALE: JSON.stringify(one.scale ?? {}),
        GREENROOM_RUN: `mistakes-${process.pid}-${round}`,
        ...secrets,
      },
      partFile: join(folder, `${name.replaceAll(/[^\w-]/g, '_')}-${round}.json`),
      segment: undefined,
      deadlineMs: longestRun([one.scenario], { ...workloads.smoke, ...one.scale }),
      signal: new AbortController().signal,
      take: (line) => ids.take(line),
    })
    if (run.part === undefined) throw new Error(`${name}: k6 left nothing:\n${run.output}`)
    return judged(one, { name, round, left: await leftOf(server), ids }, run.part as LoadPart)
  } finally {
    await server.stop()
  }
}

/** Sessions that are still closing need a moment. */
async function leftOf(server: Server): Promise<number> {
  for (let tries = 0; tries < 50 && server.left() > 0; tries += 1) await wait(200)
  return server.left()
}

interface Met {
  readonly name: string
  readonly round: number
  /** Sessions that are still open. */
  readonly left: number
  readonly ids: SharedIds
}

function judged(one: Case, { name, round, left, ids }: Met, part: LoadPart): Outcome {
  const workload = { ...workloads.smoke, ...one.scale }
  const asked = { workloadName: 'smoke' as const, workload, keys: one.keys(round) }
  const codes = new Set(idsOf(errorCodes).map((code) => String(errorCodes[code].code)))
  const words = { serverEvents: idsOf(serverEvents), errorCodes: [...codes] }
  const own = judgePart(part, [one.scenario], asked, words)
  const shared = ids.findings()
  const verdict = shared.length > 0 ? 'fail' : own.verdict
  const findings = [...own.findings, ...shared]
  const named = findings.flatMap(({ requirement }) => (requirement === undefined ? [] : [requirement]))
  const correct = one.name.startsWith('correct: ')
  const right = correct
    ? verdict === 'pass' && left === 0
    : verdict === 'fail' && (one.expected.length === 0 || one.expected.some((id) => named.includes(id)))
  const got = named.length > 0 ? named : findings.map(({ text }) => text)
  return { name, round, correct, right, verdict, got: left === 0 ? got : [...got, `${left} sessions left open`] }
}

async function serve({ target }: Case, round: number): Promise<Server> {
  if (target.kind === 'reference') {
    const { defects, variations = [], override } = target
    const running = await startTarget({
      tls: false,
      defects: [...defects],
      variations: [...variations],
      seed: round,
      ...(override === undefined ? {} : { override: override() }),
    })
    return {
      base_url: running.base_url,
      keyOf: (name) => running.keys[name as keyof typeof running.keys],
      left: () => running.openSessions(),
      stop: () => running.stop(),
    }
  }
  const random = seeded(`round ${round}`)
  const rules = { ...correctRules(), minuteMs: MINUTE_MS }
  target.seed(rules, random, round)
  const running = await serveLimiter(rules, random)
  return {
    base_url: running.base_url,
    keyOf: (name) => running.keyOf(name),
    left: () => running.service.open(),
    stop: () => running.stop(),
  }
}
