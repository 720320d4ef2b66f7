import { expect, test } from 'vitest'
import { UNTOLD } from '../results/kind.ts'
import { loadPage } from './load-page.ts'
import { madeUpReport } from './testing/made-up.ts'

test('of a climb the page says where the target broke, and up to where it held', () => {
  const broke = { by: 'target' as const, at_s: 61.2, rate_per_s: 12, held_per_s: 11, why: '40 errors in 5 s' }
  const shown = loadPage(madeUpReport({ broke }), [])
  expect(shown).toContain('until the target broke')
  expect(shown).not.toContain('asked for, and')
  expect(shown).toMatch(/Highest rate that held.*?11.*?a second; it broke at 12/s)
})

test('one iteration a second is told as one; and who told no target is told so', () => {
  const rate = { target_per_s: 1, achieved_per_s: 1, dropped: 1 }
  const target = { base_url: UNTOLD, profile_digest: '' }
  const shown = loadPage(madeUpReport({ rate, target }), [])
  expect(shown).toContain('1 iteration a second was asked for, and 1 began; 1 was due and never began.')
  expect(shown).toContain('target not told')
  expect(shown).not.toContain(UNTOLD)
})
