import { idsOf, type OperationId, operations } from '#spec/tables'
import { validate } from '#spec/validators'

interface Pattern {
  readonly id: OperationId
  readonly method: string
  readonly path: RegExp
}

const patterns: readonly Pattern[] = idsOf(operations).map((id) => {
  const { method, path } = operations[id]
  return { id, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
})

/** The operation of section 4 that a request is; null for one outside the interface. @param path with or without a query */
export function operationOf(method: string, path: string): OperationId | null {
  const [plain = ''] = path.split('?')
  return patterns.find((one) => one.method === method && one.path.test(plain))?.id ?? null
}

/**
 * The operation that a request of this one is judged as. A service may have query parameters beside those of the interface,
 * which say what they like of the answer: with one of them a request is of no operation here.
 *
 * @param path with or without a query
 */
export function judgedAs(operation: OperationId | null, path: string): OperationId | null {
  if (operation === null) return null
  const names = [...new URLSearchParams(path.split('?')[1] ?? '').keys()]
  if (names.length === 0) return operation
  const { query } = operations[operation]
  const sent = Object.fromEntries(names.map((name) => [name, '']))
  const isForeign =
    query === undefined || validate(query, sent).some(({ keyword }) => keyword === 'additionalProperties')
  return isForeign ? null : operation
}

/**
 * Whether a path is that of the control channel of avatar sessions (9.1), below whatever base. The messages of world
 * sessions are "not shown" (4.5), and those of an app's own connections are its own: neither is recorded.
 */
export function isAvatarChannelPath(path: string): boolean {
  return (path.split('?')[0] ?? '').endsWith('/v1/realtime-avatar/control')
}

/** Whether the control URL that this operation hands out is one of an avatar session. */
export function handsOutAvatarChannel(operation: string | null): boolean {
  return operation !== null && !operation.includes('world')
}
