import { createRandom } from '#target/random'
import type { JsonObject } from '#trace/json'

/** Choices at random, the same under the same seed. */
export interface Dice {
  /** From one number to another, both included. */
  number(from: number, to: number): number
  /** Whether one of a hundred comes up. */
  percent(share: number): boolean
  pick<One>(...all: readonly [One, ...One[]]): One
  /** Of a list; undefined where it is empty. */
  one<One>(list: readonly One[]): One | undefined
  /** Fields that are there in so many cases of a hundred. */
  maybe(share: number, fields: () => JsonObject): JsonObject
  text(): string
}

const texts = [
  'Hello',
  'Tell me about the sea.',
  'ünïcödé 🎭 text',
  'a',
  'What colour is the sea? '.repeat(8),
  'שלום עולם',
  '"quoted" \\ back',
  ' spaced  out ',
  '你好，世界',
  'line\nbreak\ttab',
  'x'.repeat(300),
  'e\u0301',
] as const

export function diceOf(seed: number): Dice {
  const random = createRandom(seed)
  const number = (from: number, to: number): number => from + random.below(to - from + 1)
  const percent = (share: number): boolean => random.below(100) < share
  const one = <One>(list: readonly One[]): One | undefined => list[random.below(Math.max(list.length, 1))]
  return {
    number,
    percent,
    one,
    pick: (...all) => one(all) ?? all[0],
    maybe: (share, fields) => (percent(share) ? fields() : {}),
    text: () => one(texts) ?? '',
  }
}
