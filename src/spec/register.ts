import { createHash } from 'node:crypto'
import audioFiles from '../../suites/audio-files/requirements.json' with { type: 'json' }
import authentication from '../../suites/authentication/requirements.json' with { type: 'json' }
import avatarSessions from '../../suites/avatar-sessions/requirements.json' with { type: 'json' }
import characters from '../../suites/characters/requirements.json' with { type: 'json' }
import controlChannel from '../../suites/control-channel/requirements.json' with { type: 'json' }
import errors from '../../suites/errors/requirements.json' with { type: 'json' }
import limits from '../../suites/limits/requirements.json' with { type: 'json' }
import versioning from '../../suites/versioning/requirements.json' with { type: 'json' }
import voices from '../../suites/voices/requirements.json' with { type: 'json' }
import worldSessions from '../../suites/world-sessions/requirements.json' with { type: 'json' }
import frozen from '../../suites/release.json' with { type: 'json' }
import type { Ability, KeyName, MediaName, TriggerName } from './profile.ts'
import type { ChoiceRow, RequirementRow } from './types/shapes.d.ts'

const parts = [
  authentication,
  avatarSessions,
  controlChannel,
  characters,
  audioFiles,
  voices,
  worldSessions,
  errors,
  limits,
  versioning,
] as const

type Part = (typeof parts)[number]

/** Every key of the union's members, not only those that all of them share. */
type KeysOf<Table> = Table extends unknown ? keyof Table : never

/** `<part>.<subject>.<claim>`: `avatar-sessions.create.active-avatar-ambiguous`. Never changes meaning. */
export type RequirementId = KeysOf<Part['requirements']>

/** Id of something that the spec leaves open. */
export type ChoiceId = KeysOf<Part['choices']>

/** One promise of the spec, as `schemas/meta/requirements.json` describes it. */
export interface Requirement extends Readonly<RequirementRow> {
  readonly id: RequirementId
  readonly abilities?: Ability[]
  /** Keys of the profile beyond `primary`. */
  readonly keys?: Exclude<KeyName, 'primary'>[]
  readonly triggers?: TriggerName[]
  readonly media?: MediaName[]
}

/** Something that the spec leaves open: observed and reported, never judged. */
export interface Choice extends Readonly<ChoiceRow> {
  readonly id: ChoiceId
}

/** All requirements, part by part in the order of their files. */
export const requirements = byId<RequirementId, Requirement>(parts.map((part) => part.requirements))

/** All choices, part by part in the order of their files. */
export const choices = byId<ChoiceId, Choice>(parts.map((part) => part.choices))

function byId<Id extends string, Row extends { readonly id: Id }>(tables: readonly object[]): ReadonlyMap<Id, Row> {
  const rows = tables.flatMap((table) => Object.entries(table)).map(([id, row]) => ({ id, ...(row as object) }) as Row)
  return new Map(rows.map((row) => [row.id, row]))
}

export function isRequirementId(id: string): id is RequirementId {
  return requirements.has(id as RequirementId)
}

/** The row of a requirement. */
export function requirement(id: RequirementId): Requirement {
  const row = requirements.get(id)
  if (row === undefined) throw new Error(`There is no requirement ${id}`)
  return row
}

/** The frozen set of requirements that a verdict speaks of; rows added since are `unscored`. */
export const release: { readonly version: string; readonly digest: string } = {
  version: frozen.version,
  digest: frozen.digest,
}

/** sha256 (hex) of what the requirements promise: id, section, level and text of each, whatever the order of the files. */
export function registerDigest(rows?: Iterable<Requirement>): string {
  return rows === undefined ? (ownDigest ??= digestOf(requirements.values())) : digestOf(rows)
}

let ownDigest: string | undefined

function digestOf(rows: Iterable<Requirement>): string {
  const promises = [...rows].map(({ id, section, level, text }) => ({ id, section, level, text }))
  const ordered = promises.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
}
