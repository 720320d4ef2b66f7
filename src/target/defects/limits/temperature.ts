import { unchecked } from '../tools/modes.ts'
import type { ConversationInput } from '#target/behaviour/validations/conversation'
import { drop, except, set } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const tenths = ({ given }: ConversationInput): number =>
  Math.round(Number(objectAt(given, 'response_defaults')['temperature']) * 10) / 10

export const temperatureDefects = defectsOf('limits.temperature', {
  'between-accepted: A temperature must be a whole number.': refuseCreate(
    (input) => !Number.isInteger(sent(input, 'conversation', 'response_defaults', 'temperature') ?? 0),
  ),
  'between-accepted~tenths: A temperature has one decimal at most.': refuseCreate((input) =>
    /\.\d\d/u.test(String(sent(input, 'conversation', 'response_defaults', 'temperature'))),
  ),
  'below-0-rejected: A negative temperature is accepted.': drop('validations.conversation', 'temperature-low'),
  '0-accepted: A temperature of 0 is refused.': refuseCreate(
    (input) => sent(input, 'conversation', 'response_defaults', 'temperature') === 0,
  ),
  '2-accepted: A temperature of 2 is refused.': set('limits.temperatureMaximum', 1.99),
  '2-accepted~in-video: In video sessions a temperature of 2 is refused.': refuseCreate(
    (input) => input.mode === 'video_avatar' && sent(input, 'conversation', 'response_defaults', 'temperature') === 2,
  ),
  'above-2-rejected: A temperature above 2 is accepted.': drop('validations.conversation', 'temperature-high'),
  'below-0-rejected~tenth: A temperature is rounded to tenths before it is compared.': except(
    'validations.conversation',
    'temperature-low',
    (input) => tenths(input) >= 0,
  ),
  'above-2-rejected~tenth: A temperature above 2 is rounded to tenths before it is compared.': except(
    'validations.conversation',
    'temperature-high',
    (input) => tenths(input) <= 2,
  ),
  'above-2-rejected~in-video: In video sessions a temperature above 2 is accepted.': unchecked(
    'video_avatar',
    ({ conversation }) => conversation['temperature-high'],
  ),
})
