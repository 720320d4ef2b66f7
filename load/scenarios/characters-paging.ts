import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { CharacterShelf } from './limits/character-shelf.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type PagingTime = 'page_ms'

const about = ['page-item-twice', 'page-item-missing'] as const

/** Walks over the pages of List Characters while characters come and go. */
export const charactersPaging: Scenario<LawCount, PagingTime> = {
  name: 'characters-paging',
  about:
    'Walks over the pages of List Characters while characters are created and deleted; all that it made is deleted.',
  measures: () => ({ counts: lawCounts, times: ['page_ms'] }),
  price: () => ({ requests: 30, sessions: 0 }),
  arrival: { kind: 'rate' },
  needs: 'characters',
  exceeds: [],
  iterate,
  judge: (tally) => judgeLaws(tally, about, 'no walk over the pages came to its end, so there was nothing to judge'),
}

async function iterate(machine: Machine<LawCount, PagingTime>): Promise<void> {
  const shelf = new CharacterShelf(machine, (ms) => machine.tally.time('page_ms').record(ms))
  try {
    countRulings(machine.tally, await shelf.walkTwice())
  } finally {
    await shelf.cleanUp()
  }
}
