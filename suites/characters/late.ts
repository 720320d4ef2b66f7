import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { accepted, any, rejected } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'
import { beginAndClose, beginInVain, mustSave, save } from './acts.ts'

/**
 * A fault that Create Session refuses. Whether it is refused on save is not said for all of them; when a session is
 * started, at the latest, it must be.
 */
export interface LateFault {
  readonly row: RequirementId
  readonly change: (body: JsonObject) => JsonObject
  /** A correct target may refuse what it is put into. */
  readonly soft?: Condition
}

/** A key with which a character was saved and a session started from it. */
export interface Bench {
  readonly key: KeyName
  readonly saved: number
  readonly started: number
}

export async function setUp(c: Context, body: JsonObject, key: KeyName): Promise<Bench> {
  const [saved, started] = [c.exchange(), c.exchange()]
  const id = await mustSave(c, body, { exchange: saved, key })
  await beginAndClose(c, { character_id: id }, { exchange: started, key })
  return { key, saved, started }
}

/** Saves the fault, and starts a session from it where that is accepted. */
export async function refuseLate(c: Context, bench: Bench, body: JsonObject, { row, soft }: LateFault): Promise<void> {
  const { key, saved, started } = bench
  const [kept, begun] = [c.exchange(), c.exchange()]
  const options = soft === undefined ? {} : ({ given: [soft], given_code: 'model_choice' } as const)
  c.claim(row, any(rejected(kept, soft ?? saved), rejected(begun, soft ?? started)), options)
  const character_id = await save(c, body, { exchange: kept, key })
  if (character_id !== undefined) await beginInVain(c, { character_id }, { exchange: begun, key })
}

/** Saves what must be taken, and starts a session from it. */
export async function acceptBoth(
  c: Context,
  { key }: Bench,
  body: JsonObject,
  rows: readonly RequirementId[],
): Promise<void> {
  const [kept, begun] = [c.exchange(), c.exchange()]
  for (const row of rows) for (const one of [kept, begun]) c.claim(row, accepted(one))
  const character_id = await save(c, body, { exchange: kept, key })
  if (character_id !== undefined) await beginAndClose(c, { character_id }, { exchange: begun, key })
}
