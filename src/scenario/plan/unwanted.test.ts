import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { DEFECTS } from '#target/defects'
import { loadScenarios } from './catalogue.ts'
import { readFinds } from './finds.ts'
import { select } from './selection.ts'

const scenarios = await loadScenarios()
const finds = readFinds()
const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } }
const ids = [...requirements.keys()]

/** Whether a run that is narrowed to this row still sends what is known to show the mistake. */
function isShown(row: string, by: readonly string[]): boolean {
  const { selected, left_out = {} } = select({
    scenarios: scenarios.map((one) => ({ ...one, needs: {} })),
    profile,
    keys: ['primary'],
    tier: 'full',
    only: [row],
    requirements: ids,
  })
  const running = new Map(selected.map((one) => [one.id, one]))
  return by.some((name) => {
    const [id = '', optional] = name.split(' ')
    if (!running.has(id)) return false
    // With a plus only what may be left out shows it: that must be what claims the row.
    return (
      optional === undefined ||
      (running.get(id)?.optional ?? []).some((group) =>
        group.rows.some((one) => one === row && left_out[id]?.includes(one) !== true),
      )
    )
  })
}

test('what is left out for a single row is nothing that would show a mistake in it', () => {
  const known = DEFECTS.map(({ id, requirement }) => ({
    id,
    requirement,
    by: (finds.mistakes[id] ?? []).filter((name) =>
      scenarios.some((one) => one.id === name.split(' ')[0] && one.proves.some((row) => row === requirement)),
    ),
  })).filter(({ by }) => by.length > 0)
  expect(known.length).toBeGreaterThan(1_000)
  expect(known.filter(({ requirement, by }) => !isShown(requirement, by)).map(({ id }) => id)).toEqual([])
})
