import { afterAll, expect, test } from 'vitest'
import type { Override } from '#target/behaviour/behaviour'
import { type RunningTarget, startTarget } from '#target/start'
import { fetchMachine } from '#testing/limiter/fetch-machine'
import { tallyFor } from '../../core/common-measures.ts'
import type { Law } from '../../core/limits/laws.ts'
import { workloads } from '../../workloads.ts'
import { charactersPaging } from '../characters-paging.ts'

const words = { serverEvents: [], errorCodes: [] }

const nothing = { sessions: [], worlds: [], characters: [] }

const targets: RunningTarget[] = []

afterAll(async () => {
  await Promise.all(targets.map((target) => target.stop()))
})

/** One iteration against a reference target that is changed so. */
async function drive(override: Override): Promise<{ broken: string[]; left: ReturnType<RunningTarget['left']> }> {
  const target = await startTarget({ tls: false, override })
  targets.push(target)
  const { base_url, keys } = target
  const machine = fetchMachine(charactersPaging, { base_url, secret: keys.primary, name: 'iteration' })
  await charactersPaging.iterate(machine)
  const found = [...machine.tally.counts('laws_broken')]
  return { broken: found.flatMap(([law, times]) => (times > 0 ? [law] : [])), left: target.left() }
}

test.concurrent.each<[string, Override, Law]>([
  [
    'a delete that is told and not carried out',
    ({ characters }) => {
      const { deleted } = characters
      let count = 0
      // All but that of the cleanup's last are.
      characters.deleted = (one) => void ((count += 1) === 5 || deleted(one))
    },
    'page-shows-deleted',
  ],
  [
    'a delete that does not find what is listed',
    ({ characters }) => {
      const { found } = characters
      characters.found = (one, operation) =>
        found(one, operation) && !(operation === 'delete-character' && one.serial === 1)
    },
    'character-not-deleted',
  ],
  [
    'a first page that is called wrong',
    ({ characters: { list } }) => {
      const { size } = list
      let count = 0
      list.size = (given, sizes) => ((count += 1) === 1 ? undefined : size(given, sizes))
    },
    'page-refused',
  ],
  [
    'a create that makes two characters',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (...asked) => {
        const page = cut(...asked)
        const copies = page.characters.map((one) => ({ ...one, id: `${one.id}0` }))
        return { ...page, characters: [...page.characters, ...copies].slice(0, asked[1]) }
      }
    },
    'page-item-unknown',
  ],
])('%s is found', async (_, override, law) => {
  expect((await drive(override)).broken).toContain(law)
})

test.concurrent('a delete that does not find what was made a moment ago, and finds it later, is left alone', async () => {
  const tried = new Set<object>()
  const override: Override = ({ characters }) => {
    const { found } = characters
    characters.found = (one, operation) => {
      if (operation !== 'delete-character' || tried.has(one)) return found(one, operation)
      tried.add(one)
      return false
    }
  }
  const { broken, left } = await drive(override)
  expect(broken).toEqual([])
  expect(left).toEqual(nothing)
})

test('characters that are called wrong beside others that are taken are told', () => {
  const facts = { workloadName: 'smoke', workload: workloads.smoke, keys: [], iterations: 1, dropped: 0 } as const
  const tally = tallyFor(charactersPaging.measures(words), words)
  tally.count('fared', 'primary taken', 20)
  expect(charactersPaging.judge(tally, { ...facts, scenarios: 1 }).trouble).toEqual([])
  tally.count('fared', 'primary wrong', 2)
  expect(charactersPaging.judge(tally, { ...facts, scenarios: 1 }).trouble).toHaveLength(1)
})
