import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { requirements } from '#spec/register'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'

const frozen: { readonly [kind: string]: readonly string[] } = JSON.parse(
  readFileSync(join(packageRoot(), 'fixtures/traces/frozen/ids.json'), 'utf8'),
)

const idsOf = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id).toSorted()

const kinds: { readonly [kind: string]: () => Promise<string[]> | string[] } = {
  requirements: () => [...requirements.keys()].toSorted(),
  scenarios: async () => idsOf(await loadScenarios()),
  defects: () => idsOf(deviations().defects),
  variations: () => idsOf(deviations().variations),
}

test.each(Object.keys(kinds))('no id of %s is lost or new', async (kind) => {
  expect(await kinds[kind]?.()).toEqual(frozen[kind])
})
