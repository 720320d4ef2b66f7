import type { RestCall } from '#client/types'
import type { Context } from '#scenario/author/context'
import { type Control, rejection, type Terms } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { type OperationId, operations } from '#spec/tables'
import type { Condition } from '#trace/claim'

export type Group =
  | 'avatar-sessions'
  | 'character-sessions'
  | 'characters'
  | 'audio-files'
  | 'voices'
  | 'world-sessions'

/** A request that is good but for its key. */
export interface KeyedRequest<Of extends Group = Group> {
  readonly group: Of
  readonly operation: OperationId
  readonly call?: RestCall
  /** The same with a valid key was accepted, or what it needs was made with one. */
  readonly control: Control
  /** Where the request may have a second fault, whose code is right too: that the exchange does not show it. */
  readonly clean?: (exchange: number) => Condition
}

type MissingRow<Of extends Group> =
  | `authentication.header-required.${Of}`
  | `authentication.missing-key.${Of}`
  | 'errors.code-10001.key-absent'
type InvalidRow<Of extends Group> = `authentication.invalid-key.${Of}` | 'errors.code-10003.key-invalid'

/** Rows that {@link withoutKey} speaks about. */
export function missingRows<Of extends Group>(...groups: readonly Of[]): readonly MissingRow<Of>[] {
  const rows = groups.flatMap((group) => [
    `authentication.header-required.${group}` as const,
    `authentication.missing-key.${group}` as const,
  ])
  return [...rows, 'errors.code-10001.key-absent']
}

/** Rows that {@link withoutKey} and {@link withBadKey} speak about. */
export function rowsOfKeys<Of extends Group>(...groups: readonly Of[]): readonly (MissingRow<Of> | InvalidRow<Of>)[] {
  return [...missingRows(...groups), ...invalidRows(...groups)]
}

/** Rows that {@link withBadKey} speaks about. */
function invalidRows<Of extends Group>(...groups: readonly Of[]): readonly InvalidRow<Of>[] {
  return [...groups.map((group) => `authentication.invalid-key.${group}` as const), 'errors.code-10003.key-invalid']
}

/** Asks without any key: `10001` (5.5). @returns the exchange */
export async function withoutKey<Of extends Group>(
  c: Context<MissingRow<Of>>,
  request: KeyedRequest<Of>,
): Promise<number> {
  const { group, operation, call, control } = request
  const refusal = {
    rows: `authentication.header-required.${group}` as const,
    coded: [`authentication.missing-key.${group}`, 'errors.code-10001.key-absent'] as const,
    codes: [10001],
    control,
  }
  const expect = rejection<MissingRow<Of>>(refusal, termsOf(request))
  return (await c.call(operation, { ...call, key: 'none', expect })).exchange
}

/** Keys that were never issued; the client puts the key where `{primary}` stands. Each operation gets one of them. */
const badKeys = ['Bearer {primary:cut}', 'Bearer {primary:marred}', 'Bearer {primary:turned}'] as const

function badKeyFor(operation: OperationId, neverIssued: string): string {
  const place = Object.keys(operations).indexOf(operation) % (badKeys.length + 1)
  return badKeys[place] ?? `Bearer ${neverIssued}`
}

/** Asks with a key that was never issued: `10003` (5.5). @returns the exchange */
export async function withBadKey<Of extends Group>(
  c: Context<InvalidRow<Of>>,
  request: KeyedRequest<Of>,
): Promise<number> {
  const { group, operation, call, control } = request
  const coded = [`authentication.invalid-key.${group}`, 'errors.code-10003.key-invalid'] as const
  const expect = rejection<InvalidRow<Of>>({ coded, codes: [10003], control }, termsOf(request))
  const authorization = badKeyFor(operation, c.id('never-issued'))
  return (await c.call(operation, { ...call, key: 'malformed', authorization, expect })).exchange
}

/** That requests go out without a key, and with a bad one: either may be left out. @param requests of each kind */
export function optionalKeys(
  requests: number,
  ...groups: readonly Group[]
): readonly (Optional & { readonly id: 'keyless' | 'wrong' })[] {
  return [
    { id: 'keyless', rows: missingRows(...groups), requests },
    { id: 'wrong', rows: invalidRows(...groups), requests },
  ]
}

/** Asks without a key and with a bad one. */
export async function expectRefused<Of extends Group>(
  c: Context<MissingRow<Of> | InvalidRow<Of>>,
  request: KeyedRequest<Of>,
): Promise<void> {
  if (c.takes('keyless')) await withoutKey(c, request)
  if (c.takes('wrong')) await withBadKey(c, request)
}

function termsOf({ clean }: KeyedRequest) {
  return (exchange: number): Terms => (clean === undefined ? {} : { onlyIf: [clean(exchange)] })
}
