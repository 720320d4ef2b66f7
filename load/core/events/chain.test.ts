import { expect, test } from 'vitest'
import { Chain } from './chain.ts'

type Step = (chain: Chain) => void

const created: Step = (chain) => chain.created()
const delta =
  (text: string, item = 'a', index = 0): Step =>
  (chain) =>
    chain.delta(item, index, text)
const textDone =
  (text: string, item = 'a', index = 0): Step =>
  (chain) =>
    chain.textDone(item, index, text)
const itemDone =
  (item = 'a', index = 0): Step =>
  (chain) =>
    chain.itemDone(item, index)
const done =
  (status = 'completed'): Step =>
  (chain) =>
    chain.done(status)

function play(...steps: Step[]): Chain {
  const chain = new Chain()
  for (const step of steps) step(chain)
  return chain
}

test.each<[string, Step[]]>([
  ['the usual', [created, delta('on'), delta('ce'), textDone('once'), itemDone(), done()]],
  ['one that fails midway', [created, delta('on'), done('failed')]],
  ['one delta', [created, delta('once'), textDone('once'), itemDone(), done()]],
  ['an empty first delta', [created, delta(''), delta('once'), textDone('once'), itemDone(), done()]],
  [
    'two items, interleaved',
    [
      created,
      delta('o'),
      delta('n', 'b', 1),
      textDone('o'),
      textDone('n', 'b', 1),
      itemDone('b', 1),
      itemDone(),
      done(),
    ],
  ],
  ['a function call', [created, itemDone(), done()]],
  ['no output at all', [created, done()]],
  ['cut short, without a final text', [created, delta('on'), itemDone(), done('cancelled')]],
  ['still running', [created, delta('on')]],
  ['an item that is done before its final text', [created, delta('once'), itemDone(), textDone('once'), done()]],
  ['an item that was cut in the middle', [created, delta('on'), textDone('once'), itemDone(), done('cancelled')]],
  ['a final text that was cut short', [created, delta('once'), textDone('on'), itemDone(), done('incomplete')]],
])('%s has no flaw', (_, steps) => {
  expect(Object.keys(play(...steps).flaws)).toEqual([])
})

test.each<[string, Step[]]>([
  ['created-again', [created, created]],
  ['created-late', [delta('once'), created]],
  ['delta-late', [created, delta('once'), textDone('once'), delta('more')]],
  ['delta-late', [created, delta('once'), itemDone(), delta('more')]],
  ['text-done-again', [created, textDone(''), textDone('')]],
  ['text-done-missing', [created, delta('once'), itemDone(), done()]],
  ['text-lost', [created, delta('o'), textDone('once'), itemDone(), done()]],
  ['text-reordered', [created, delta('ce'), delta('on'), textDone('once'), itemDone(), done()]],
  ['text-repeated', [created, delta('on'), delta('on'), delta('ce'), textDone('once'), itemDone(), done()]],
  ['text-differs', [created, delta('twix'), textDone('once'), itemDone(), done()]],
  ['text-differs', [created, delta('twix'), textDone('once'), itemDone(), done('cancelled')]],
  ['item-done-again', [created, itemDone(), itemDone()]],
  ['item-done-missing', [created, delta('once'), textDone('once'), done()]],
  ['done-again', [created, done(), done()]],
  ['after-done', [created, done(), delta('more')]],
])('%s is found', (flaw, steps) => {
  expect(Object.keys(play(...steps).flaws)).toContain(flaw)
})

test('text of several items is in the order of their indexes', () => {
  expect(play(created, delta('world', 'b', 1), delta('hello ', 'a', 0)).text()).toBe('hello world')
})

test('another text than the script differs', () => {
  const chain = play(created, delta('twice'), textDone('twice'), itemDone(), done())
  chain.expect('once')
  expect(Object.entries(chain.flaws)).toEqual([['script-differs', 1]])
})

test('all events of the response are counted', () => {
  const chain = play(created, delta('on'), delta('ce'), textDone('once'), itemDone(), done())
  expect([chain.deltas, chain.others]).toEqual([2, 4])
})
