import { keyNames, type KeyName, offers, type Profile } from '#spec/profile'
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
 * What each key, medium and trigger adds: requirements that need it, those of abilities that are declared away and those
 * that no client can judge left out. Most first.
 *
 * @param keys those that have a value
 */
export function whatEachAdds(profile: Profile, keys: readonly KeyName[]): readonly Addition[] {
  const rows = [...requirements.values()].filter(
    ({ standing, abilities = [] }) => standing !== 'untestable' && abilities.every((name) => offers(profile, name)),
  )
  const count = (needs: (row: (typeof rows)[number]) => readonly string[] | undefined, name: string): number =>
    rows.filter((row) => needs(row)?.includes(name) === true).length
  return [
    ...keyNames.map((name) => ({
      field: `keys.${name}`,
      rows: count((row) => row.keys, name),
      given: keys.includes(name),
    })),
    ...media.map((name) => ({
      field: `media.${name}`,
      rows: count((row) => row.media, name),
      given: profile.media?.[name] !== undefined,
    })),
    ...triggers.map((name) => ({
      field: `triggers.${name}`,
      rows: count((row) => row.triggers, name),
      given: profile.triggers?.[name] !== undefined,
    })),
  ]
    .filter((one) => one.rows > 0)
    .toSorted((a, b) => b.rows - a.rows)
}

export function rowsAdded(rows: number): string {
  return `${rows} more ${rows === 1 ? 'row' : 'rows'}`
}
