import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget, type Driven, type DriveOptions } from '#scenario/run/drive'
import type { TargetOptions } from '#target/options'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { stringAt } from '#trace/json'
import { WHOLE_RUN_MS } from '../hang.ts'

const characters = 'characters.lives-property'
const worlds = 'world-sessions.lives-property'
const long = ['characters.lives-property-long', 'world-sessions.lives-property-long']

/** The long walks stand in for the short ones. */
const everything: Partial<DriveOptions> = { tier: 'full', only: [characters, worlds, ...long] }

interface Walked {
  readonly driven: Driven
  readonly target: RunningTarget
}

/** Drives walks against a reference target. */
async function walk(wishes: Partial<DriveOptions> = {}, options: TargetOptions = {}): Promise<Walked> {
  const target = await startTarget({ tls: false, ...options })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-walks-'))
  try {
    const [profile, environment] = [profileOf(target), environmentOf(target)]
    const journal = join(folder, 'journal')
    const driven = await driveTarget({ profile, environment, journal, only: [characters, worlds], seed: 1, ...wishes })
    return { driven, target }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const none = { sessions: [], worlds: [], characters: [] }

/** Operations and drawn names, which do not differ from run to run. */
function sentIn({ trace }: Driven): readonly string[] {
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
  expect(sentIn(one.driven)).toEqual(sentIn(again.driven))
  expect(sentIn(one.driven)).not.toEqual(sentIn(other.driven))
})

test('nothing is left of a walk, nothing is wrong, and most pairs are made', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const { driven, target } = await walk(everything)
  const { requirements, walks: told = [], leaked } = judge(driven.trace, register(), await loadRules())
  expect(requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([])
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
  const { driven, target } = await walk({ only: [characters], signal: abort.signal }, { override })
  const { entries } = driven.trace
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
  const { driven, target } = await walk(everything, { defects: [defect] })
  const { requirements } = judge(driven.trace, register(), await loadRules())
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toContain(defect.split('~')[0])
  expect(target.left()).toEqual(none)
})
