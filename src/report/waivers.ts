import type { Results } from '#judge/results'
import { isObject } from '#trace/json'

/** Why a row's failure is waived, who will mend it, and until when: as the profile says. */
export interface Waiver {
  readonly reason: string
  readonly owner: string
  readonly expires: string
}

/** A row that is waived, and its waiver. */
export interface WaivedRow {
  readonly id: string
  readonly waiver: Waiver
}

export function waivedRows({ requirements, target }: Results): readonly WaivedRow[] {
  const { profile } = target
  const listed = isObject(profile) ? profile['expected_failures'] : undefined
  const entries = Array.isArray(listed) ? listed.filter(isObject) : []
  return requirements
    .filter(({ verdict }) => verdict === 'waived')
    .map(({ id }) => ({ id, waiver: waiverOf(entries.find((entry) => entry['id'] === id) ?? {}) }))
}

/** `waived until 2026-12-31, owner team-a: why it fails` */
export function waiverText({ reason, owner, expires }: Waiver): string {
  return `waived until ${expires}, owner ${owner}: ${reason}`
}

function waiverOf(entry: { readonly [name: string]: unknown }): Waiver {
  const text = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : 'not said')
  return { reason: text('reason'), owner: text('owner'), expires: text('expires') }
}
