import { calledWrong, countFare } from '../core/fared.ts'
import { join, nothingFound } from '../core/findings.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { CharacterShelf } from './characters/shelf.ts'
import { CharacterStock } from './characters/stock.ts'
import { onKey } from './limits/rest-machine.ts'
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
  judges_times: false,
  price: () => ({ requests: 32, sessions: 0 }),
  arrival: { kind: 'rate' },
  needs: 'characters',
  exceeds: [],
  iterate,
  judge: (tally) =>
    join([
      judgeLaws(tally, about, 'no walk over the pages came to its end, so there was nothing to judge'),
      { ...nothingFound, trouble: calledWrong(tally, 'characters') },
    ]),
}

async function iterate(machine: Machine<LawCount, PagingTime>): Promise<void> {
  const { tally, key } = machine
  const stock = new CharacterStock(onKey(machine, key), (fate) => countFare(tally, key, fate))
  const shelf = new CharacterShelf(stock, (ms) => tally.time('page_ms').record(ms))
  try {
    countRulings(tally, await shelf.walkTwice())
  } finally {
    await stock.cleanUp()
  }
  countRulings(tally, await stock.judgeGone())
}
