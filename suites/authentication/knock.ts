import type { RestCall } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { OperationId } from '#spec/tables'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { rejected } from '#trace/conditions'

export type Group =
  | 'avatar-sessions'
  | 'character-sessions'
  | 'characters'
  | 'audio-files'
  | 'voices'
  | 'world-sessions'

/** A request that is good but for its key. */
export interface Door {
  readonly group: Group
  readonly operation: OperationId
  readonly call?: RestCall
  /** The same with a valid key was accepted, or what it needs was made with one. */
  readonly twin: number | Condition
  /** Where the request may have a second fault, whose code is right too: that the exchange does not show it. */
  readonly clean?: (exchange: number) => Condition
}

/** Missing key: `10001` (5.5). */
export const missing = [10001]
/** Invalid key: `10003` (5.5). */
export const invalid = [10003]

/** Rows that {@link withoutKey} and {@link withBadKey} speak about. */
export function rowsOf(...groups: readonly Group[]): readonly RequirementId[] {
  const rows = groups.flatMap((group): readonly RequirementId[] => [...missingRows(group), ...invalidRows(group)])
  return [...new Set(rows)]
}

function missingRows(group: Group): readonly RequirementId[] {
  return [
    `authentication.header-required.${group}`,
    `authentication.missing-key.${group}`,
    'errors.code-10001.key-absent',
  ]
}

function invalidRows(group: Group): readonly RequirementId[] {
  return [`authentication.invalid-key.${group}`, 'errors.code-10003.key-invalid']
}

/** Asks without any key. @returns the exchange */
export async function withoutKey(context: Context, door: Door): Promise<number> {
  const exchange = context.exchange()
  const [required, ...coded] = missingRows(door.group)
  if (required !== undefined) context.claim(required, rejected(exchange, door.twin), options(door, exchange))
  for (const row of coded) context.claim(row, rejected(exchange, door.twin, missing), options(door, exchange))
  await context.call(door.operation, { ...door.call, exchange, key: 'none' })
  return exchange
}

/** Asks with a key that was never issued. @returns the exchange */
export async function withBadKey(context: Context, door: Door): Promise<number> {
  const exchange = context.exchange()
  for (const row of invalidRows(door.group)) {
    context.claim(row, rejected(exchange, door.twin, invalid), options(door, exchange))
  }
  const authorization = `Bearer ${context.id('never-issued')}`
  await context.call(door.operation, { ...door.call, exchange, key: 'malformed', authorization })
  return exchange
}

function options({ clean }: Door, exchange: number) {
  return clean === undefined ? {} : ({ given: [clean(exchange)], given_code: 'model_choice' } as const)
}
