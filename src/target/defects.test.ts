import { expect, test } from 'vitest'
import { type Requirement, requirements } from '#spec/register'
import { standardBehaviour } from './behaviour/behaviour.ts'
import { served } from './profile.ts'
import { DEFECTS, defectFileOf, defectFiles, defectsIn } from './defects.ts'

/** Abilities whose half of the interface this target does not serve. */
const UNSERVED = Object.entries(served).flatMap(([ability, offered]) => (offered ? [] : [ability]))

const rows: ReadonlyMap<string, Requirement> = requirements
const parts = new Set(DEFECTS.map(({ requirement }) => requirement.split('.')[0]))
const broken = new Set(DEFECTS.map(({ requirement }) => requirement))

test('every defect has an id of its own and breaks a testable requirement', () => {
  expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length)
  const stray = DEFECTS.filter(({ requirement }) => (rows.get(requirement)?.standing ?? 'untestable') === 'untestable')
  expect(stray.map(({ id }) => id)).toEqual([])
})

test('every testable requirement of the parts that this target serves has a defect', () => {
  const testable = [...rows].filter(
    ([id, { standing, abilities = [] }]) =>
      standing !== 'untestable' &&
      parts.has(id.split('.')[0]) &&
      !abilities.some((ability) => UNSERVED.includes(ability)),
  )
  expect(testable.map(([id]) => id).filter((id) => !broken.has(id))).toEqual([])
})

test.each(defectFiles)('%s holds the defects whose ids begin with its words', async (file) => {
  const defects = await defectsIn(file)
  expect(defects.length).toBeGreaterThan(0)
  expect(defects.filter(({ requirement }) => defectFileOf(requirement) !== file).map(({ id }) => id)).toEqual([])
})

test('no folder of defects has more than 25 files', () => {
  const folders = Map.groupBy(defectFiles, (file) => file.split('/').slice(0, -1).join('/'))
  expect([...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder)).toEqual([])
})

const isHolder = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The same values in objects of its own: a defect that changes the behaviour leaves this as it was. */
const copyOf = (value: unknown): unknown =>
  isHolder(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)])) : value

const textOf = (value: unknown): unknown => (typeof value === 'function' ? `${value.name}${String(value)}` : value)

function isSame(one: unknown, other: unknown): boolean {
  if (!isHolder(one) || !isHolder(other)) return one === other || textOf(one) === textOf(other)
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => name in other && isSame(one[name], other[name]))
  )
}

test('every defect can be applied, and changes the behaviour', () => {
  const idle = DEFECTS.filter(({ override }) => {
    const behaviour = standardBehaviour()
    const before = copyOf(behaviour)
    override(behaviour)
    return isSame(before, behaviour)
  })
  expect(idle.map(({ id }) => id)).toEqual([])
})
