import { expect, test } from 'vitest'
import { frozenNames, frozenResults, frozenTrace, resultsOf } from './frozen-traces.ts'

test.each(frozenNames())('%s is judged as it was when it was frozen, byte for byte', async (name) => {
  expect(await resultsOf(frozenTrace(name))).toBe(frozenResults(name))
})
