import { twice, withhold } from '#target/overrides/events'
import { defectsOf } from '../../../tools/table.ts'

export const avatarAddConfirmedDefects = defectsOf('control-channel.avatar-add', {
  'confirmed: Additions are not confirmed.': withhold('avatar.added'),
  'confirmed~many: The tenth avatar of a session and later ones are added without a word.': withhold(
    'avatar.added',
    (_event, session) => session.avatars.length > 9,
  ),
  'confirmed-once: Additions are confirmed twice.': twice('avatar.added'),
})
