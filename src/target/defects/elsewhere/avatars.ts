import type { Behaviour } from '#target/behaviour/behaviour'
import type { AvatarsInput } from '#target/behaviour/rules/avatars'
import { wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { atEnds, type End, endOf, type Looked, narrowed, showLess } from './places.ts'

type AvatarRules = Behaviour['rules']['avatars']
type TableOf = (behaviour: Behaviour) => AvatarRules

const fewerAvatars = (input: AvatarsInput, end: End): AvatarsInput => ({
  ...input,
  avatars: endOf(input.avatars, end),
})

const fewerImages = (input: AvatarsInput, end: End): AvatarsInput => ({
  ...input,
  avatars: input.avatars.map((avatar) => ({
    ...avatar,
    ...(avatar['visual'] === undefined ? {} : { visual: narrowed(wireAt(avatar, 'visual'), 'source_images', end) }),
  })),
})

const looked = (
  table: TableOf,
  less: (input: AvatarsInput, end: End) => AvatarsInput,
  rows: Readonly<Record<string, readonly [rule: keyof AvatarRules, what: string]>>,
): Looked[] =>
  Object.entries(rows).map(([row, [rule, what]]) => ({
    row,
    what,
    look: (behaviour, end) => showLess(table(behaviour)[rule], (input: AvatarsInput) => less(input, end)),
  }))

const ids = (prefix: string) =>
  ({
    [`${prefix}id-missing-rejected`]: ['avatar-id-missing', 'its id'],
    [`${prefix}id-empty-rejected`]: ['avatar-id-empty', 'an empty id'],
  }) as const

const voices = (prefix: string) =>
  ({
    [`${prefix}voice-provider-missing-rejected`]: ['voice-provider-missing', 'the provider of its voice'],
    [`${prefix}voice-model-missing-rejected`]: ['voice-model-missing', 'the model of its voice'],
  }) as const

const created: TableOf = ({ rules }) => rules.avatars
const added: TableOf = ({ rules }) => rules.addAvatars

const createImages = {
  'avatars.source-image-id-missing-rejected': ['source-image-id-missing', 'the ids of its images'],
  'avatars.media-type-missing-rejected': ['media-type-missing', 'media types'],
  'avatars.media-type-not-image-rejected': ['media-type-not-image', 'media types of other kinds'],
} as const

const addImages = {
  'avatar-add.image-id-missing-rejected': ['source-image-id-missing', 'the ids of its images'],
  'avatar-add.media-type-missing-rejected': ['media-type-missing', 'media types'],
  'avatar-add.media-type-not-image-rejected': ['media-type-not-image', 'media types of other kinds'],
} as const

const speed = { 'avatar-add.voice-speed-above-maximum-rejected': ['voice-speed-high', 'the speed'] } as const

/** Of several avatars, or several images of an avatar, one end is held to the rules of 2.3. */
export const avatarPlaceDefects = [
  ...defectsOf('avatar-sessions', {
    ...atEnds('avatar', looked(created, fewerAvatars, ids('avatars.avatar-'))),
    ...atEnds('avatar', looked(created, fewerAvatars, voices('avatars.'))),
    ...atEnds('avatar', looked(created, fewerAvatars, createImages)),
    ...atEnds('image', looked(created, fewerImages, createImages)),
  }),
  ...defectsOf('limits', {
    ...atEnds(
      'avatar',
      looked(created, fewerAvatars, {
        'avatar-voice-speed.above-maximum-rejected': ['voice-speed-high', 'the speed'],
      }),
    ),
  }),
  ...defectsOf('control-channel', {
    ...atEnds('avatar', looked(added, fewerAvatars, ids('avatar-add.'))),
    ...atEnds('avatar', looked(added, fewerAvatars, { ...voices('avatar-add.'), ...speed })),
    ...atEnds('avatar', looked(added, fewerAvatars, addImages)),
    ...atEnds('image', looked(added, fewerImages, addImages)),
  }),
  ...defectsOf('characters', {
    ...atEnds(
      'avatar',
      looked(({ rules }) => rules.character.avatars, fewerAvatars, ids('create.avatar-')),
    ),
    ...atEnds(
      'avatar',
      looked(({ rules }) => rules.replacement.avatars, fewerAvatars, ids('replace.avatar-')),
    ),
  }),
]
