import { drop, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const sampleDefects = defectsOf('voices.sample', {
  '61-seconds-rejected: A sample may last for ever.': drop('validations.clone', 'sample-too-long'),
  '61-seconds-rejected~stereo: The length of stereo samples is halved.': set(
    'voices.tooLong',
    ({ wav }, maximum) => (wav?.seconds ?? 0) / (wav?.channels ?? 1) > maximum,
  ),
  '61-seconds-rejected~minutes: The length of a sample is compared in whole minutes.': set(
    'voices.tooLong',
    ({ wav }, maximum) => Math.floor((wav?.seconds ?? 0) / 60) * 60 > maximum,
  ),
  '61-seconds-rejected~44100: The length of a sample is counted at 44,100 samples a second.': set(
    'voices.tooLong',
    ({ wav }, maximum) => wav !== undefined && (wav.seconds * wav.rate) / 44_100 > maximum,
  ),
  '59-seconds-accepted: A sample may last thirty seconds.': set('limits.sampleSeconds', 30),
})
