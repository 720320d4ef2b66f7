import type { HeaderEntry } from '#trace/entry'
import { at, isObject, type Json } from '#trace/json'
import type { RegisterView } from './register-view.ts'
import type { RequirementResult, Results } from './results.ts'

/** The profile's expected failures, sorted by what the run's date and the register say of them. */
export interface Waivers {
  readonly valid: ReadonlySet<string>
  readonly expired: readonly string[]
  readonly unknown: readonly string[]
}

/** Reads `expected_failures` of the profile in the header. An entry is good up to and including its last day (UTC). */
export function readWaivers(header: HeaderEntry, register: RegisterView): Waivers {
  const listed = at(header.profile, '/expected_failures')
  const entries = Array.isArray(listed) ? (listed as readonly Json[]).filter(isObject) : []
  const today = header.date.slice(0, 10)
  const ids = (keep: (id: string, expires: string) => boolean): string[] =>
    entries.filter((one) => keep(text(one['id']), text(one['expires']))).map((one) => text(one['id']))
  return {
    valid: new Set(ids((id, expires) => register.rows.has(id) && expires >= today)),
    expired: ids((id, expires) => register.rows.has(id) && expires < today),
    unknown: ids((id) => !register.rows.has(id)),
  }
}

/** Waivers that cover nothing any more fail the run: a row listed as failing that does not fail. */
export function settleWaivers(waivers: Waivers, requirements: readonly RequirementResult[]): Results['waivers'] {
  const stale = requirements
    .filter((row) => waivers.valid.has(row.id) && (row.verdict === 'pass' || row.verdict === 'not_applicable'))
    .map((row) => row.id)
  return { stale, expired: waivers.expired, unknown: waivers.unknown }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
