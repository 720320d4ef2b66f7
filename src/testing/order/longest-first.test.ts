import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { longest, longestFirst } from './longest-first.ts'

const named = (path: string) => ({ moduleId: join(packageRoot(), path) })

test('every file that is known to take long is there', () => {
  expect(longest.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([])
})

test('what takes longest begins first, and all else stays in its order', () => {
  const [first = '', second = ''] = longest
  const all = ['src/b.test.ts', second, 'src/a.test.ts', first]
  expect(longestFirst(all.map(named))).toEqual([first, second, 'src/b.test.ts', 'src/a.test.ts'].map(named))
})
