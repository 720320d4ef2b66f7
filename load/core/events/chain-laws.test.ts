import { expect, test } from 'vitest'
import { isRequirementId, requirement } from '#spec/register'
import { tallyFor } from '../common-measures.ts'
import { flaws } from './chain.ts'
import { chainLaws, flawFindings } from './chain-laws.ts'
import { foreignNamed } from './foreign.ts'

test.each(Object.entries(chainLaws))('%s breaks a binding row of the register', (_, { requirement: id }) => {
  expect(isRequirementId(id) && requirement(id)).toMatchObject({ level: 'must' })
})

test('each flaw that came is told with its count and its requirement', () => {
  const tally = tallyFor({ counts: { flaws }, times: [] }, { serverEvents: [], errorCodes: [] })
  tally.count('flaws', 'text-lost', 3)
  expect(flawFindings(tally)).toEqual({
    broken: [
      {
        text: expect.stringMatching(/^3 times text-lost: it must hold that /),
        requirement: 'control-channel.text-delta.concatenate-to-final-text',
      },
    ],
    invalid: [],
  })
})

test.each([
  ['run-scenario-7-r0', undefined],
  ['', undefined],
  [undefined, undefined],
  ['run-scenario-8-r0', 'events-of-another'],
  ['run-of-the-mix-3-r0', 'events-of-another'],
  ['something', 'request-of-another'],
])('a response for %j is told as %j', (named, flaw) => {
  expect(foreignNamed({ own: 'run-scenario-7-', run: 'run-' }, named)).toBe(flaw)
})
