import type { Character } from '#target/characters/character'
import { isWire, textOf, type JsonObject, without } from '#target/wire'

const pick = (object: JsonObject, fields: string[]): JsonObject =>
  Object.fromEntries(fields.filter((field) => object[field] !== undefined).map((field) => [field, object[field]]))

/** What of a body counts, and how. */
interface Combination {
  replacing: string[]
  merging: string[]
  merge: (saved: unknown, sent: unknown) => unknown
}

/** 4.1 Create Session from Character: how the saved configuration and the body become one create. */
export const characterSessions = () => ({
  /** "`character_id` string (required, in the body, not the path)"; `own` are those of the workspace, oldest first. */
  named: (sent: JsonObject, _own: Character[]): string => textOf(sent['character_id']) ?? '',
  /** What of the saved configuration takes effect. */
  saved: ({ configuration }: Character): JsonObject => configuration,
  /** Fields that replace the saved ones. */
  replacing: ['model', 'max_duration_seconds', 'recording_mode', 'idempotency_key'],
  /** "`output` and `delivery` are shallow-merged over the saved top-level objects." */
  merging: ['output', 'delivery'],
  merge: (saved: unknown, sent: unknown): unknown =>
    isWire(saved) && isWire(sent) ? { ...saved, ...sent } : (sent ?? saved),
  /** The create that comes of both. */
  body: (saved: JsonObject, sent: JsonObject, { replacing, merging, merge }: Combination): JsonObject => {
    const merged = merging.map((field) => [field, merge(saved[field], sent[field])] as const)
    const given = merged.filter(([, value]) => value !== undefined)
    return { ...without(saved, ...merging), ...Object.fromEntries(given), ...pick(sent, replacing) }
  },
  /** What a start does to its character. */
  touches: (_character: Character, _sent: JsonObject): void => undefined,
})
