import { expect, test } from 'vitest'
import { tallyFor } from '../../core/common-measures.ts'
import { newlyAsked } from '../../core/events/asked-response.ts'
import { Chain } from '../../core/events/chain.ts'
import { interruptStorm } from '../interrupt-storm.ts'
import { countRound } from './interrupt-count.ts'
import type { InterruptMachine } from './interrupt-machine.ts'

const words = { serverEvents: [], errorCodes: [] }

test.each([
  [true, { other: 1 }],
  [false, { undone: 1 }],
])('an interrupted response without an end, told as one that goes on beside another: %j', (told, interrupted) => {
  const asked = newlyAsked({ eventId: 'one', text: 'a text', sentAt: 0, waits: false, errorsBefore: 0 })
  const one = { ...asked, chain: new Chain(), beside: { count: 9, from: 0, told } }
  const tally = tallyFor(interruptStorm.measures(words), words)
  countRound({ tally } as InterruptMachine, { interrupted: [one], last: one, pending: one, second: one })
  expect(tally.takeOut()).toMatchObject({ interrupted })
})
