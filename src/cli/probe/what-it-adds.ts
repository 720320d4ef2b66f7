import { keyNames, type KeyName, type Profile } from '#spec/profile'
import { rowsByNeed } from '#spec/needs'
import { requirements } from '#spec/register'

/** Something that a profile may name, and how many requirements wait for it. */
export interface Addition {
  /** `media.image_url`. */
  readonly field: string
  readonly rows: number
  readonly given: boolean
}

const media = ['image_url', 'audio_url'] as const
const triggers = ['moderated_text', 'failing_voice_name', 'tool_call_text'] as const

/**
 * What each key, medium and trigger adds: requirements that need it, and that a client can judge. Most first. Those that
 * are not scored yet count too: they are judged and reported.
 *
 * @param keys those that have a value
 */
export function whatEachAdds(profile: Profile, keys: readonly KeyName[]): readonly Addition[] {
  const abilities: { readonly [ability: string]: boolean } = profile.abilities ?? {}
  const needs = rowsByNeed(requirements, (ability) => abilities[ability] === false)
  return [
    ...keyNames.map((name) => ({ field: `keys.${name}`, given: keys.includes(name) })),
    ...media.map((name) => ({ field: `media.${name}`, given: profile.media?.[name] !== undefined })),
    ...triggers.map((name) => ({ field: `triggers.${name}`, given: profile.triggers?.[name] !== undefined })),
  ]
    .map((one) => ({ ...one, rows: needs.get(one.field)?.length ?? 0 }))
    .filter((one) => one.rows > 0)
    .toSorted((a, b) => b.rows - a.rows)
}

export function rowsAdded(rows: number): string {
  return `${rows} more ${rows === 1 ? 'row' : 'rows'}`
}
