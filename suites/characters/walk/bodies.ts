import { draw } from '#arbitraries/draw'
import { characters } from '#arbitraries/rest/characters'
import { characterFaults, type Faulty, withFaults } from '#arbitraries/rest/faults'
import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'

/** Bodies for one walk: each save has one that no other has, and a name of its own, by which it is known again. */
export class Bodies {
  readonly #c: Context
  readonly #drawn: Iterator<{ readonly title: string; readonly body: JsonObject }>
  #count = 0

  constructor(c: Context, seed: number, most: number) {
    this.#c = c
    this.#drawn = draw(characters, seed, most).values()
  }

  next(): JsonObject {
    this.#count += 1
    const { value, done } = this.#drawn.next()
    const name = this.#c.id('walk')
    if (done === true)
      return { name, model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
    return { ...value.body, name: `${name} ${value.title}` }
  }

  /** One mistake, and every third time two. */
  wrong(): Faulty {
    const table = characterFaults
    const one = table[this.#count % table.length]
    const other = this.#count % 3 === 0 ? table[(this.#count + 4) % table.length] : undefined
    return withFaults(
      this.next(),
      [one, other].filter((fault) => fault !== undefined),
    )
  }
}
