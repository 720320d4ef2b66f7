import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { twoLooks } from '#scenario/author/look-twice'
import type { Condition } from '#trace/claim'
import { acceptance, rejection } from '#scenario/author/expectation'
import { any, rejected } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { beginAndClose, beginInVain, replace, save, saveWhole } from '../acts.ts'
import { named } from '../bodies.ts'

/** "Same validation and moderation as create" (4.2): what a create refuses on save, a replace does not take. */
export const validated = 'characters.replace.validated-as-create'

type LateRow = Extract<RequirementId, `characters.${'create' | 'auto-close'}.${string}-refused`>

/**
 * A fault that Create Session refuses. Whether it is refused on save is not said for all of them; when a session is
 * started, at the latest, it must be.
 */
export interface LateFault<Row extends LateRow = LateRow> {
  readonly row: Row
  readonly change: (body: JsonObject) => JsonObject
  /** A correct target may refuse what it is put into. */
  readonly mayBeRefused?: Condition
  /** Whether a replace is tried as well, where a create refuses it. */
  readonly again?: true
  /** What a service may leave out of a character is refused only where it is kept; told by the first save. */
  readonly kept?: (saved: number) => Condition
}

/** A key with which a character was saved and saved again; a session is started from it, at the latest for the first fault. */
export interface Bench {
  readonly key: KeyName
  readonly id: string
  readonly saved: number
  readonly replaced: number
  readonly started: number
  /** Starts the session where that has not been done yet. */
  readonly begin: () => Promise<unknown>
}

interface Prepared extends Bench {
  /** What was taken of a body like this one: a fault is put into what is right without it. */
  readonly taken: (body: JsonObject) => JsonObject
}

/** @param saves whether the character is saved again here, or whoever asks for the bench does that */
export async function setUp(c: Context, body: JsonObject, key: KeyName, saves = true): Promise<Prepared> {
  const [looks, replaced, started] = [twoLooks(c), c.exchange(), c.exchange()]
  const { id, exchange: saved } = await saveWhole(c, body, looks, key)
  const taken = (one: JsonObject): JsonObject => (saved === looks[0] ? one : named(one))
  if (saves) await replace(c, id, taken(body), { exchange: replaced, key })
  let begun: Promise<unknown> | undefined
  const begin = () => (begun ??= beginAndClose(c, { character_id: id }, { exchange: started, key }))
  return { key, id, saved, replaced, started, taken, begin }
}

/** Saves the fault, and starts a session from it where that is accepted. */
export async function refuseLate<Row extends LateRow>(
  c: Context<Row | typeof validated>,
  bench: Bench,
  body: JsonObject,
  { row, mayBeRefused, again, kept: keeps }: LateFault<Row>,
): Promise<void> {
  const { key, saved, replaced, started } = bench
  const [kept, begun] = [c.exchange(), c.exchange()]
  const counts = keeps === undefined ? mayBeRefused : any(rejected(kept, saved), keeps(saved))
  const late = any(rejected(kept, mayBeRefused ?? saved), rejected(begun, mayBeRefused ?? started))
  c.claim(row, late, counts === undefined ? {} : { onlyIf: [counts] })
  // What a create was refused for is refused over the character of the bench, too.
  const both = { onlyIf: [rejected(kept, saved)] }
  const over = again === true ? c.expect(rejection({ rows: validated, control: replaced }, both)) : undefined
  const character_id = await save(c, body, { exchange: kept, key })
  if (character_id !== undefined) {
    await bench.begin()
    await beginInVain(c, { character_id }, { exchange: begun, key })
  } else if (over !== undefined) await replace(c, bench.id, body, { exchange: over, key })
}

/** Saves what must be taken over the character of the bench, and starts a session from it. */
export async function acceptBoth<Row extends RequirementId>(
  c: Context<Row>,
  { key, id: character_id }: Bench,
  body: JsonObject,
  { rows, kept }: { readonly rows: readonly Row[]; readonly kept?: number },
): Promise<void> {
  const begun = c.expect(acceptance(rows))
  const sending = kept === undefined ? {} : { exchange: kept }
  const received = await replace(c, character_id, body, { ...sending, key, expect: acceptance(rows) })
  if (received.ok) await beginAndClose(c, { character_id }, { exchange: begun, key })
}
