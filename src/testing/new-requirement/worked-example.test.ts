import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8')

/** The files of the diff in CONTRIBUTING.md, each with the text that it adds. */
const example = (/```diff\n([^]*?)```/.exec(read('CONTRIBUTING.md'))?.[1] ?? '')
  .split(/^--- /m)
  .slice(1)
  .map((file) => file.split('\n'))
  .map(([path = '', ...lines]): [path: string, added: readonly string[]] => [
    path,
    lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
  ])

test('the worked example touches at most five files', () => {
  expect(example.length).toBeGreaterThan(2)
  expect(example.length).toBeLessThanOrEqual(5)
})

test.each(example)('what the worked example adds to %s stands there', (path, added) => {
  const lines = new Set(read(path).split('\n'))
  expect(added.length).toBeGreaterThan(0)
  expect(added.filter((line) => !lines.has(line) && !lines.has(line.replace(/,$/, '')))).toEqual([])
})
