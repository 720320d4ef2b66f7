import { readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { register } from '#judge/register'
import type { Report, Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { loadRules } from '#scenario/plan/load-rules'
import { parseTrace } from '#trace/reader'
import { isStandIn } from '#trace/stand-ins'
import { corpusFolder, corpusTrace, type Label, labels } from './label.ts'
import { ndjsonOf } from './make/plain.ts'
import { opinionOn } from './opinion.ts'

const all = labels()
let rules: readonly Rule[] = []
beforeAll(async () => {
  rules = await loadRules()
})

test('the corpus is large, mostly of independent servers, small in bytes, and its index names each file once', () => {
  expect(all.length).toBeGreaterThanOrEqual(150)
  const independent = all.filter(({ server }) => server !== 'reference target')
  expect(independent.length).toBeGreaterThanOrEqual(all.length / 2)
  for (const verdict of ['legal', 'illegal', 'undecided']) {
    expect(all.filter((label) => label.verdict === verdict).length).toBeGreaterThanOrEqual(20)
  }
  const sizes = all.map((label) => Buffer.byteLength(corpusTrace(label)))
  expect(Math.max(...sizes)).toBeLessThan(100_000)
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(4_000_000)
  const files = readdirSync(corpusFolder, { recursive: true }).map((file) => String(file).replaceAll('\\', '/'))
  expect(files.filter((file) => file.endsWith('.ndjson')).toSorted()).toEqual(all.map(({ file }) => file).toSorted())
})

test.each(all)('$file is judged as its label says', (label) => {
  const { verdict, broken, mistakes } = opinionOn(parseTrace(corpusTrace(label)).entries, label.requirement, rules)
  expect(mistakes).toEqual([])
  expect(verdict).toBe(label.verdict)
  if (label.verdict === 'illegal') expect(broken).toContain(label.requirement)
  else expect(broken).toEqual([])
})

test('each label names a requirement of the register, its section and why', () => {
  for (const { requirement, section, says, why, file } of all) {
    expect(register().rows.get(requirement)?.section, file).toBe(section)
    expect(says.length, file).toBeGreaterThan(10)
    expect(why.length, file).toBeGreaterThan(20)
  }
})

const long = 'it needs a history that is longer than a trace of the corpus may be'
const beside = 'no recorded mistake shows by this rule alone in a short piece; its requirements are broken by others'
const later = 'it is younger than the mistakes of the corpus; a test of its own breaks it'
const unseen = 'nothing that a client sends makes it happen'

/** Rules that judge something and that no trace of the corpus breaks, and why. */
const unbroken: { readonly [rule: string]: string } = {
  'avatar-sessions.session-life': beside,
  'avatar-sessions.shown-again': later,
  'avatar-sessions.updated-media': later,
  'avatar-sessions.tools-own-only': later,
  'characters.deletes': later,
  'characters.own-only': later,
  'control-channel.admissions': long,
  'control-channel.ended-by-errors': later,
  'control-channel.existing': long,
  'control-channel.kept-images': long,
  'control-channel.script-classes': long,
  'control-channel.snapshots': long,
  'control-channel.isolation': long,
  'control-channel.meetings': long,
  'control-channel.references': long,
  'control-channel.refused-assets': long,
  'control-channel.speech': unseen,
  'control-channel.stale-errors': beside,
  'control-channel.unanswered': later,
  'control-channel.updates-in-video': later,
  'control-channel.valid-updates': later,
  'errors.capacity': beside,
  'errors.foreign': later,
  'errors.made-nothing': beside,
  'limits.other-keys': long,
  'limits.pauses': long,
  'limits.places': long,
  'limits.rate': long,
  'limits.room': beside,
  'versioning.paths': beside,
  'voices.drawn': beside,
  'voices.leftovers': beside,
  'world-sessions.conflicts': beside,
  'world-sessions.created-at-not-ahead': later,
  'world-sessions.own-metadata': later,
  'world-sessions.other-workspaces': beside,
  'world-sessions.refused-closes': later,
  'world-sessions.untouched': long,
  'world-sessions.walks': beside,
}

test('every rule that judges is broken by a trace, but for those that say why not; most are borne out by a legal one', () => {
  const broken = new Set<string>()
  const held = new Set<string>()
  for (const label of all) {
    const trace = indexTrace(parseTrace(corpusTrace(label)).entries)
    for (const rule of rules) rule.judge(trace, listener(rule, label))
  }
  const judging = rules.filter(({ id, proves }) => proves.some((row) => register().rows.has(row)) && !(id in unbroken))
  expect(judging.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([])
  expect(Object.keys(unbroken).filter((id) => broken.has(id))).toEqual([])
  expect(held.size).toBeGreaterThan(60)

  function listener({ id }: Rule, { verdict, requirement }: Label): Report {
    return {
      held: () => void (verdict === 'legal' && held.add(id)),
      broken: (row) => void (verdict === 'illegal' && row === requirement && broken.add(id)),
      unobserved: () => {},
      saw: () => {},
    }
  }
})

test('no trace holds a secret, an address of the machine that recorded it, or bytes that another writing would change', () => {
  for (const label of all) {
    const text = corpusTrace(label)
    expect(text, label.file).not.toMatch(/127\.0\.0\.1|localhost|\/tmp\/|\/work\//)
    for (const [, value = ''] of text.matchAll(/"(?:client_secret|authorization|user_sig|token)":"([^"]*)"/g)) {
      expect(value === '' || isStandIn(value.replace('Bearer ', '')), `${label.file}: ${value}`).toBe(true)
    }
    expect(ndjsonOf(parseTrace(text).entries), label.file).toBe(text)
  }
})
