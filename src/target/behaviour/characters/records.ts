import type { Character, Saved } from '#target/characters/character'
import type { Account } from '#target/keys'
import type { Random } from '#target/random'
import type { Session } from '#target/sessions/session'
import { textsIn, type JsonObject } from '#target/wire'
import type { ErrorCode } from '../codes.ts'

/** How a character comes to be written (4.2). */
export type SaveOperation = 'create-character' | 'replace-character'

/** Why an operation does not find a character (20005 of section 7). */
export type Unseen = 'unknown' | 'foreign' | 'deleted'

/** Text that the moderation of this target refuses. */
export const MODERATED_TEXT = 'greenroom-moderated-text'

/**
 * Fields of a create that are saved: those that 2.7 names, and the rest of a "Create-session configuration" (4.2).
 * "`character_id` and `idempotency_key` are not saved as configuration."
 */
const CONFIGURATION = [
  'model',
  'session',
  'output',
  'pipeline_config',
  'avatars',
  'conversation',
  'max_duration_seconds',
  'auto_close',
  'delivery',
  'region',
  'recording_mode',
  'assets',
]

/** 4.2: what a save keeps, and what it refuses. */
const saving = () => ({
  /** "Shaped like `chr_<id>`" (2.7). */
  id: (random: Random, _account: Account, _saved: Saved): string => `chr_${random.hex(20)}`,
  /** What stands in for a body that is no JSON, or no object; `undefined` = it is refused. */
  unparsable: (_bytes: Buffer, _operation: SaveOperation): JsonObject | undefined => undefined,
  /** 20004: "missing `name` or invalid JSON". */
  malformed: (_operation: SaveOperation): ErrorCode => '20004',
  /** Changes the body of a save before anything else looks at it. */
  read: (body: JsonObject): JsonObject => body,
  /** The name that is kept. */
  named: (body: JsonObject): string => String(body['name']),
  /** The configuration that is kept. */
  stored: (body: JsonObject, _operation: SaveOperation): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([field]) => CONFIGURATION.includes(field))),
  /** "Content is checked by moderation on save." */
  moderates: (_operation: SaveOperation): boolean => true,
  moderatedTexts: (body: JsonObject): string[] => textsIn(body),
  rejects: (text: string): boolean => text.includes(MODERATED_TEXT),
  rejected: (_operation: SaveOperation): ErrorCode => '30001',
  /** Whether a save that is refused with this code is written all the same. */
  writesRefused: (_code: ErrorCode, _operation: SaveOperation): boolean => false,
})

/** 4.2: "Replaces the whole record (not a patch)." */
const replacing = () => ({
  /** "Omitted keys are deleted from the stored configuration." */
  replaced: (_old: Character, next: Saved): Saved => next,
  /** Milliseconds between finding a character and writing it. */
  writeMs: 0,
  /** Milliseconds between writing a character and reading it again for the answer. */
  readBackMs: 0,
  /** The times of a replaced record; milliseconds. */
  restamped: ({ createdAt }: Character, now: number) => ({ createdAt, updatedAt: now }),
  /** Other characters that a replace writes as well. */
  alsoWrites: (_character: Character, _all: Character[]): Character[] => [],
  /** Whether a replace of an unknown character stores one, and whether it says so. */
  upserts: 'never' as 'never' | 'told' | 'untold',
  /** What a replace does to a session that was started from the character; true starts its clocks anew. */
  reaches: (_session: Session, _character: Character): boolean => false,
})

/** 3.6: "A character is either stored or soft-deleted." */
const finding = () => ({
  /** A deleted character is "treated as not found by get, update and delete", and cannot start a session. */
  found: ({ deleted }: Character, _operation: string): boolean => !deleted,
  /** The code for a character that is unknown, deleted or another workspace's. */
  unseen: (_operation: string, _why: Unseen): ErrorCode => '20005',
  /** What Get, Replace and Delete show of an id that was never given out; `undefined` = they refuse it. */
  madeUp: (_id: string, _operation: string): JsonObject | undefined => undefined,
  /** Whether an operation that does not find a character acts on it before it says so. */
  actsUnseen: (_operation: string): boolean => false,
  deleted: (character: Character): void => {
    character.deleted = true
  },
  /** Other characters that a delete takes along. */
  alsoDeletes: (_character: Character, _all: Character[]): Character[] => [],
  /** "Sessions already running are not interrupted." */
  interrupts: (_session: Session): boolean => false,
  interruptsAfterMs: 0,
})

export const characterRecords = () => ({ ...saving(), ...replacing(), ...finding() })
