import { expect, test } from 'vitest'
import { withoutUnusedMethods } from './unused-methods.ts'

test('methods that nothing calls go, with those that only they call', () => {
  const kept = withoutUnusedMethods(`
class Count {
  #left = 1
  constructor() { this.#begin() }
  #begin() { return this.#left }
  used() { return 1 }
  unused() { return this.#helper() + this.unused() }
  #helper() { return 2 }
  get read() { return 3 }
  get unread() { return 4 }
  static made() { return new Count() }
  toJSON() { return {} }
  named() {}
  [Symbol.iterator]() {}
}
const { read } = Count.made()
const name = 'named'
export const sum = new Count().used() + read
`)
  for (const name of [
    '#begin()',
    'used()',
    'get read()',
    'static made()',
    'toJSON()',
    'named()',
    '[Symbol.iterator]()',
  ])
    expect(kept).toContain(name)
  for (const name of ['unused()', '#helper()', 'unread']) expect(kept).not.toContain(` ${name}`)
})
