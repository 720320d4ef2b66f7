import type { RegisterView } from '#judge/register-view'
import { rowsByNeed } from '#spec/needs'
import { at, listAt, type Json } from '#trace/json'
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
  // A row that is not scored keeps nobody from a certificate.
  const scored = [...register.rows].filter(([, row]) => row.unscored !== true)
  const needs = rowsByNeed(scored, (ability) => isAway(candidate.profile, ability))
  const waivers = listAt(candidate.profile, '/expected_failures').length
  return [
    ...missing(needs, 'keys', (name) => candidate.keys.includes(name)).map(([name, ids]) => ({
      what: `keys.${name} has no value, and ${needed(ids)}`,
      remedy: `name the environment variable of such a key in the profile, and set it`,
    })),
    ...missing(needs, 'media', (name) => at(candidate.profile, `/media/${name}`) !== undefined).map(([name, ids]) => ({
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

function isAway(profile: Json, ability: string): boolean {
  return at(profile, `/abilities/${ability}`) === false
}

/** Names that rows need and that aren't there, each with the rows that need it. */
function missing(
  needs: ReadonlyMap<string, readonly string[]>,
  kind: 'keys' | 'media',
  has: (name: string) => boolean,
): [string, readonly string[]][] {
  return [...needs].flatMap(([field, ids]) => {
    const [of, name = ''] = field.split('.')
    return of === kind && !has(name) ? [[name, ids]] : []
  })
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
  const away = (name: string): boolean => isAway(profile, name)
  return { offered: all.filter((name) => !away(name)), declared_away: all.filter(away) }
}
