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
import { type ExpandedId, expandFamilies, type Family } from './families.ts'
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

/** The ids of each part, with those that families stand for. */
type IdsOf<One> = One extends { readonly requirements: infer Table } ? ExpandedId<Table> : never

/** `<part>.<subject>.<claim>`: `avatar-sessions.create.active-avatar-ambiguous`. Never changes meaning. */
export type RequirementId = IdsOf<Part>

/** Id of something that the spec leaves open. */
export type ChoiceId = KeysOf<Part['choices']>

/** One promise of the spec, as `schemas/meta/requirements.json` describes it. */
export interface Requirement extends Readonly<Omit<RequirementRow, 'each'>> {
  readonly id: RequirementId
  readonly abilities?: Ability[]
  /** Keys of the profile beyond `primary`. */
  readonly keys?: Exclude<KeyName, 'primary'>[]
  readonly triggers?: TriggerName[]
  readonly media?: MediaName[]
}

interface RowsById {
  readonly [id: string]: RequirementRow
}

/** Something that the spec leaves open: observed and reported, never judged. */
export interface Choice extends Readonly<ChoiceRow> {
  readonly id: ChoiceId
}

const expanded = parts.flatMap((part) => expandFamilies(part.requirements as RowsById))

/** All requirements, part by part in the order of their files. */
export const requirements = byId<RequirementId, Requirement>(expanded.map(({ id, row }) => ({ id, ...row })))

/** All choices, part by part in the order of their files. */
export const choices = byId<ChoiceId, Choice>(
  parts.flatMap((part) => Object.entries<object>(part.choices).map(([id, row]) => ({ id, ...row }))),
)

function byId<Id extends string, Row extends { readonly id: Id }>(
  rows: readonly { readonly id: string }[],
): ReadonlyMap<Id, Row> {
  return new Map((rows as readonly Row[]).map((row) => [row.id, row]))
}

const families: ReadonlyMap<string, Family> = new Map(
  expanded.flatMap(({ id, family }) => (family === undefined ? [] : [[id, family] as const])),
)

/** The family that a requirement is one of. */
export function familyOf(id: string): Family | undefined {
  return families.get(id)
}

/** The family of that name: `voices.clone.language-*-accepted`. */
export function familyNamed(name: string): Family | undefined {
  return families.values().find((family) => family.name === name)
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
