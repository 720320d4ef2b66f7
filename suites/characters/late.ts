import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { accepted, any, rejected } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'
import { beginAndClose, beginInVain, mustSave, replace } from './acts.ts'

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

/** A character that is saved again and again, and that a session was started from. */
export interface Bench {
  readonly id: string
  readonly key: KeyName
  readonly saved: number
  readonly started: number
}

export async function setUp(c: Context, body: JsonObject, key: KeyName): Promise<Bench> {
  const [saved, started] = [c.exchange(), c.exchange()]
  const id = await mustSave(c, body, { exchange: saved, key })
  await beginAndClose(c, { character_id: id }, { exchange: started, key })
  return { id, key, saved, started }
}

/** Saves the fault in the place of what was there, and starts a session from it where that is accepted. */
export async function refuseLate(c: Context, bench: Bench, body: JsonObject, { row, soft }: LateFault): Promise<void> {
  const { id, key, saved, started } = bench
  const [kept, begun] = [c.exchange(), c.exchange()]
  const options = soft === undefined ? {} : ({ given: [soft], given_code: 'model_choice' } as const)
  c.claim(row, any(rejected(kept, soft ?? saved), rejected(begun, soft ?? started)), options)
  const came = await replace(c, id, body, { exchange: kept, key })
  if (came.ok) await beginInVain(c, { character_id: id }, { exchange: begun, key })
}

/** Saves what must be taken, and starts a session from it. @returns that both were accepted */
export async function acceptBoth(
  c: Context,
  { id, key }: Bench,
  body: JsonObject,
  rows: readonly RequirementId[],
): Promise<{ readonly ok: boolean; readonly held: readonly Condition[] }> {
  const [kept, begun] = [c.exchange(), c.exchange()]
  const held = [accepted(kept), accepted(begun)]
  for (const row of rows) for (const one of held) c.claim(row, one)
  const came = await replace(c, id, body, { exchange: kept, key })
  const ok = came.ok && (await beginAndClose(c, { character_id: id }, { exchange: begun, key }))
  return { ok, held }
}
