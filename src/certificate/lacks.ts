import type { RegisterView, Row } from '#judge/register-view'
import { at, isObject, listAt, type Json } from '#trace/json'
import { isFrozen } from './register-text.ts'

/** What keeps a target from a certificate before anything was sent. */
export interface Lack {
  readonly what: string
  /** What to add, or to take away. */
  readonly remedy: string
}

/** What of a target decides whether a certificate can be given at all. */
export interface Candidate {
  readonly profile: Json
  /** Names of the keys that have a value. */
  readonly keys: readonly string[]
}

/**
 * What is missing: every key and every medium without which a row of the declared abilities stays open, no waivers, and
 * the requirement set as it was released. Triggers are not asked for: what they would show is listed as not judged.
 */
export function lacksOf(candidate: Candidate, register: RegisterView): readonly Lack[] {
  const rows = [...register.rows].filter(([, row]) => isAskedOf(row, candidate.profile))
  const waivers = listAt(candidate.profile, '/expected_failures').length
  return [
    ...missing(rows, 'keys', (name) => candidate.keys.includes(name)).map(([name, ids]) => ({
      what: `keys.${name} has no value, and ${needed(ids)}`,
      remedy: `name the environment variable of such a key in the profile, and set it`,
    })),
    ...missing(rows, 'media', (name) => at(candidate.profile, `/media/${name}`) !== undefined).map(([name, ids]) => ({
      what: `media.${name} is not given, and ${needed(ids)}`,
      remedy: `name it in the profile`,
    })),
    ...(waivers === 0
      ? []
      : [
          {
            what: `expected_failures has ${waivers} ${waivers === 1 ? 'entry' : 'entries'}, and a certificate takes no waiver`,
            remedy: 'mend what fails and empty the list',
          },
        ]),
    ...(isFrozen(register)
      ? []
      : [
          {
            what: `the requirements of this Greenroom are not those of release ${register.release.version}`,
            remedy: 'use a released version of Greenroom',
          },
        ]),
  ]
}

function isAskedOf(row: Row, profile: Json): boolean {
  const away = (row.abilities ?? []).some((ability) => at(profile, `/abilities/${ability}`) === false)
  return !away && row.standing !== 'untestable' && row.unscored !== true
}

/** Names that rows need and that aren't there, each with the rows that need it. */
function missing(
  rows: readonly (readonly [string, Row])[],
  kind: 'keys' | 'media',
  has: (name: string) => boolean,
): [string, readonly string[]][] {
  const found = new Map<string, string[]>()
  for (const [id, row] of rows) {
    for (const name of row[kind] ?? []) if (!has(name)) found.set(name, [...(found.get(name) ?? []), id])
  }
  return [...found]
}

function needed(ids: readonly string[]): string {
  const [first = ''] = ids
  return ids.length === 1 ? `${first} needs it` : `${ids.length} requirements need it (${first}, …)`
}

/** What the profile offers and what it declares away, of all abilities that rows speak of. */
export function abilitiesOf(
  profile: Json,
  register: RegisterView,
): { readonly offered: readonly string[]; readonly declared_away: readonly string[] } {
  const all = [...new Set([...register.rows.values()].flatMap(({ abilities = [] }) => abilities))].toSorted()
  const declared = at(profile, '/abilities')
  const away = (name: string): boolean => isObject(declared) && at(declared, `/${name}`) === false
  return { offered: all.filter((name) => !away(name)), declared_away: all.filter(away) }
}
