import { drop, set, around } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { atEnds, fewerAvatars } from '../tools/ends.ts'
import { unchecked } from '../tools/modes.ts'
import { refuseCreate } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

export const avatarVoiceSpeedDefects = defectsOf('limits.avatar-voice-speed', {
  'above-maximum-rejected: A speed above 1.2 is accepted.': drop('validations.avatars', 'voice-speed-high'),
  'above-maximum-rejected~in-text: In text sessions a voice may have any speed.': unchecked(
    'text_chat',
    ({ avatars }) => avatars['voice-speed-high'],
  ),
  'below-minimum-rejected: A speed of a half is accepted.': drop('validations.avatars', 'voice-speed-low'),
  'below-minimum-rejected~zero: A voice speed of 0 is taken for none.': set(
    'validations.avatars.voice-speed-low.broken',
    ({ avatars, limits }) =>
      avatars.some((avatar) => {
        const { speed } = objectAt(avatar, 'voice')
        return typeof speed === 'number' && speed !== 0 && speed < limits.speedMinimum
      }),
  ),
  'between-accepted: A speed of 1, which changes nothing, is refused.': refuseCreate(({ avatars }) =>
    avatars.some((avatar) => objectAt(avatar, 'voice')['speed'] === 1),
  ),
  'between-accepted~tenths: A speed has one decimal at most.': refuseCreate(({ avatars }) =>
    avatars.some((avatar) => /\.\d\d/u.test(String(objectAt(avatar, 'voice')['speed']))),
  ),
  'minimum-accepted: A speed of 0.7 is refused.': set('limits.speedMinimum', 0.71),
  'maximum-accepted: A speed of 1.2 is refused.': set('limits.speedMaximum', 1.19),
  ...atEnds('avatar', 'validations.avatars', fewerAvatars, {
    'above-maximum-rejected': ['voice-speed-high', 'the speed'],
  }),
  'above-maximum-rejected~later: Only the speed of the first voice is looked at.': around(
    'validations.avatars.voice-speed-high.broken',
    (broken) => (input) => broken({ ...input, avatars: input.avatars.slice(0, 1) }),
  ),
})
