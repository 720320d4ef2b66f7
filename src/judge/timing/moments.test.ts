import { expect, test } from 'vitest'
import { leastMoments } from './moments.ts'

const span = (from: number, until: number) => ({ from, until })

test.each([
  ['nothing', [], 0],
  ['one thing', [span(1, 3)], 1],
  ['what may have come at once', [span(1, 6), span(2, 3), span(3, 9)], 1],
  ['what did not', [span(1, 2), span(3, 4)], 2],
  ['a long one around two short ones', [span(0, 9), span(1, 2), span(3, 4)], 2],
])('the least moments of %s', (_, spans, count) => {
  expect(leastMoments(spans)).toBe(count)
})
