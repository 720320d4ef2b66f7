import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../law/package-root.ts'
import { requirements } from '../../law/register.ts'
import { loadScenarios } from '../../scenario/catalogue.ts'
import { deviations } from '../../target/deviations.ts'

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
