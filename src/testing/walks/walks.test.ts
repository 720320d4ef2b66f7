import { expect, test } from 'vitest'
import type { DriveOptions } from '#scenario/run/drive'
import type { TargetOptions } from '#target/options'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { stringAt } from '#trace/json'
import { WHOLE_RUN_MS } from '../hang.ts'
import { judgedRun, wrongIn } from '../judged-run.ts'

const characters = 'characters.lives-property'
const worlds = 'world-sessions.lives-property'
const long = ['characters.lives-property-long', 'world-sessions.lives-property-long']

/** The long walks stand in for the short ones. */
const everything: Partial<DriveOptions> = { tier: 'full', only: [characters, worlds, ...long] }

interface Walked {
  readonly run: Awaited<ReturnType<typeof judgedRun>>
  readonly target: RunningTarget
}

/** Drives walks against a reference target. */
async function walk(wishes: Partial<DriveOptions> = {}, options: TargetOptions = {}): Promise<Walked> {
  const target = await startTarget({ tls: false, ...options })
  try {
    const [profile, environment] = [profileOf(target), environmentOf(target)]
    return { run: await judgedRun({ profile, environment, only: [characters, worlds], ...wishes }), target }
  } finally {
    await target.stop()
  }
}

const none = { sessions: [], worlds: [], characters: [] }

/** Operations and drawn names, which do not differ from run to run. */
function sentIn({ trace }: Walked['run']): readonly string[] {
  const ours = trace.entries
    .filter((entry) => entry.kind === 'request')
    .filter(({ scenario }) => scenario === characters)
  return ours
    .map(({ operation, body }) => `${operation} ${stringAt(body, '/name')?.replace(/^\S+ /, '') ?? ''}`)
    .toSorted()
}

test('one seed sends one walk, and another seed another one', { timeout: WHOLE_RUN_MS }, async () => {
  const wishes = { only: [characters] }
  const [one, again, other] = [await walk(wishes), await walk(wishes), await walk({ ...wishes, seed: 2 })]
  expect(sentIn(one.run)).toEqual(sentIn(again.run))
  expect(sentIn(one.run)).not.toEqual(sentIn(other.run))
})

test('nothing is left of a walk, nothing is wrong, and most pairs are made', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const { run, target } = await walk(everything)
  const { walks: told = [], leaked } = run.results
  expect(wrongIn(run.results)).toEqual([])
  // REST requests are scarce: those of the channel make up for it, so that all walks of a full run leave one in twenty.
  for (const { pairs, left } of told) expect(left.length).toBeLessThanOrEqual(pairs * 0.3)
  expect(told.map(({ name }) => name).toSorted()).toEqual(['characters', 'world sessions'])
  expect([leaked, target.left()]).toEqual([[], none])
})

test('after an abort only what was made is ended', { timeout: WHOLE_RUN_MS }, async () => {
  const abort = new AbortController()
  const override: TargetOptions['override'] = ({ characters: { list } }) => {
    const { size } = list
    list.size = (given, sizes) => {
      abort.abort()
      return size(given, sizes)
    }
  }
  const { run, target } = await walk({ only: [characters], signal: abort.signal }, { override })
  const { entries } = run.trace
  const at = entries.findIndex((entry) => entry.kind === 'request' && entry.operation === 'list-characters')
  const later = entries.slice(at + 1).flatMap((entry) => (entry.kind === 'request' ? [entry.operation] : []))
  expect(at).toBeGreaterThan(0)
  expect(later.filter((operation) => !/^(close|delete)-/.test(operation ?? ''))).toEqual([])
  expect(target.left()).toEqual(none)
})

test.each([
  'characters.deleted.replace-revives-nothing~under-way',
  'world-sessions.idempotency.concurrent-one-session~gap',
  'characters.session.concurrent-one-session~gap',
])('%s is found, and nothing stays behind', { timeout: WHOLE_RUN_MS }, async (defect) => {
  const { run, target } = await walk(everything, { defects: [defect] })
  const failed = run.results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toContain(defect.split('~')[0])
  expect(target.left()).toEqual(none)
})
