import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findFlaw, linkedLine } from './chain.ts'
import { runEpoch } from './clock.ts'
import { createRedactor } from './redact.ts'
import { memoryTrace, openTrace } from './writer.ts'
import { newFolder } from '#testing/new-folder'

const redactor = createRedactor([])

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

/** Lines of a trace of six marks. */
function sixLines(): string[] {
  const trace = memoryTrace(runEpoch(), redactor)
  for (let mark = 1; mark <= 6; mark += 1) trace.write({ kind: 'mark', mark, label: `${mark}` })
  return trace.text().split('\n').slice(0, -1)
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

test('a trace as it was written hangs together', () => {
  expect(findFlaw(joined(sixLines()))).toBeUndefined()
})

const tampered: { readonly [how: string]: (lines: readonly string[]) => readonly string[] } = {
  'a line is cut out': (lines) => lines.toSpliced(2, 1),
  'the first lines are cut off': (lines) => lines.slice(2),
  'two lines are swapped': ([one = '', two = '', three = '', four = '', ...rest]) => [one, two, four, three, ...rest],
  'a line is put in twice': (lines) => lines.toSpliced(2, 0, lines[1] ?? ''),
  'a value is changed': (lines) => lines.with(2, (lines[2] ?? '').replace('"label":"3"', '"label":"9"')),
  'the last line is changed': (lines) => lines.with(5, (lines[5] ?? '').replace('"label":"6"', '"label":"9"')),
  'a link is left out': (lines) => lines.with(2, (lines[2] ?? '').replace(/,"link":"[^"]*"/, '')),
}

const firstFlaw = new Map([
  ['the first lines are cut off', 1],
  ['the last line is changed', 6],
])

test.each(Object.keys(tampered))('it shows when %s', (how) => {
  const lines = tampered[how]?.(sixLines()) ?? []
  expect(findFlaw(joined(lines))).toEqual({ line: firstFlaw.get(how) ?? 3, what: 'link' })
})

test('a line that is cut within shows', () => {
  const text = joined(sixLines())
  expect(findFlaw(text.slice(0, -9))).toEqual({ line: 6, what: 'link' })
})

test('a time that runs backwards shows, whoever made the links', () => {
  const first = linkedLine('', '{"kind":"mark","t":5,"mark":1,"label":""}')
  const second = linkedLine(first.link, '{"kind":"mark","t":4,"mark":2,"label":""}')
  expect(findFlaw(`${first.line}\n${second.line}\n`)).toEqual({ line: 2, what: 'time' })
})

test('a second process goes on with the chain, past a line that a killed one left unfinished', () => {
  const path = join(folder, 'trace.ndjson')
  const first = openTrace(path, runEpoch(), redactor)
  first.write({ kind: 'mark', mark: 1, label: 'one' })
  first.close()
  appendFileSync(path, '{"kind":"mark","t":3,"ma')
  const second = openTrace(path, runEpoch(), redactor)
  second.write({ kind: 'mark', mark: 2, label: 'two' })
  second.close()
  expect(findFlaw(readFileSync(path, 'utf8'))).toBeUndefined()
})

test('a trace of an earlier version, which has no links, does not pass for one that hangs together', () => {
  expect(findFlaw('{"kind":"mark","t":5,"mark":1,"label":""}\n')).toEqual({ line: 1, what: 'link' })
})
