import { drop, set } from '#target/overrides/operators'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

export const temperatureDefects = defectsOf('limits.temperature', {
  'below-0-rejected: A negative temperature is accepted.': drop('validations.conversation', 'temperature-low'),
  '0-accepted: A temperature of 0 is refused.': refuseCreate(
    (input) => sent(input, 'conversation', 'response_defaults', 'temperature') === 0,
  ),
  '2-accepted: A temperature of 2 is refused.': set('limits.temperatureMaximum', 1.99),
  'above-2-rejected: A temperature above 2 is accepted.': drop('validations.conversation', 'temperature-high'),
})
