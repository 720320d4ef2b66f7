import { idsOf, type OperationId, operations } from '#spec/tables'

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

/** The control channels of section 9.1. */
const channels = new Set(['/v1/realtime-avatar/control', '/v1/streaming-world/control'])

export function isChannelPath(path: string): boolean {
  return channels.has(path.split('?')[0] ?? '')
}
