import type { Override } from '#target/behaviour/behaviour'
import type { AssetsInput } from '#target/behaviour/validations/assets'
import type { AvatarsInput } from '#target/behaviour/validations/avatars'
import type { WorldInput } from '#target/behaviour/world/input'
import { around, type InputOf, type Part, type ValidationName } from '#target/overrides/operators'
import { isWire, type JsonObject, objectsAt } from '#target/wire'
import type { Rows } from './table.ts'

/** One end of a list: the only one that a careless loop, or one that is left too early, looks at. */
export type End = 'first' | 'last'

export const endOf = <Member>(list: readonly Member[], end: End): Member[] =>
  end === 'first' ? list.slice(0, 1) : list.slice(-1)

/** The same object with nothing but one end of a list in it. */
export const narrowed = (object: unknown, key: string, end: End): JsonObject => {
  const whole = isWire(object) ? object : {}
  return Array.isArray(whole[key]) ? { ...whole, [key]: endOf(objectsAt(whole, key), end) } : whole
}

const ASSET_KINDS = ['images', 'audio', 'speech_text', 'visual_prompts']

/** Nothing but one end of each list of assets. */
export const fewerAssets = (input: AssetsInput, end: End): AssetsInput => ({
  ...input,
  given: ASSET_KINDS.reduce<unknown>((given, kind) => narrowed(given, kind, end), input.given),
})

export const fewerAvatars = (input: AvatarsInput, end: End): AvatarsInput => ({
  ...input,
  avatars: endOf(input.avatars, end),
})

/** Nothing but one end of each avatar's images. */
export const fewerImages = (input: AvatarsInput, end: End): AvatarsInput => ({
  ...input,
  avatars: input.avatars.map((avatar) => ({
    ...avatar,
    ...(avatar['visual'] === undefined ? {} : { visual: narrowed(avatar['visual'], 'source_images', end) }),
  })),
})

export const fewerReferences = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  references: endOf(input.references, end),
})

/** Two defects for each validation: of several it is held against the first one only, or against the last one only. */
export const atEnds = <Path extends string>(
  word: string,
  table: Path,
  less: (input: InputOf<Path>, end: End) => InputOf<Path>,
  looked: Readonly<Record<string, readonly [rule: ValidationName<Path>, what: string]>>,
): Rows =>
  Object.fromEntries(
    Object.entries(looked).flatMap(([claim, [validation, what]]) =>
      (['first', 'last'] as const).map((end): [string, Override] => [
        `${claim}~${end}-${word}: Only the ${end} ${word} is looked at for ${what}.`,
        around(`${table}.${validation}.broken`, (broken) => {
          const judge = broken as (input: InputOf<Path>) => boolean
          return ((input: InputOf<Path>) => judge(less(input, end))) as Part<`${Path}.${ValidationName<Path>}.broken`>
        }),
      ]),
    ),
  )
