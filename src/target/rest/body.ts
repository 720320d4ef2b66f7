import { isWire, type JsonObject } from '../wire.ts'

/** "Bodies are JSON" (Conventions): a JSON object, or undefined. */
export function readJson(body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isWire(value) ? value : undefined
  } catch {
    return undefined
  }
}
