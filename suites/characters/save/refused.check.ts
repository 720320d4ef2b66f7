import { keyOf } from '#scenario/author/key-of'
import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import { either, twoLooks } from '#scenario/author/look-twice'
import type { Scenario } from '#scenario/author/scenario'
import { claimUnfound, unissued } from '#scenario/author/unissued'
import { accepted, rejected } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { begin, beginInVain, get, list, needsCharacters, refuse, remove, replace, saveWhole } from '../acts.ts'
import { cleo, lookUp, pairCharacter } from '../bodies.ts'
import { seenInSaves } from '../proves.ts'
import { type Fault, type FaultRows, faultRows, faults } from './refused-table.ts'

const unknown = {
  replace: ['characters.replace.unknown-rejected', 'characters.code-20005.replace-unknown'],
  get: ['characters.get.unknown-rejected', 'characters.code-20005.get-unknown'],
  delete: ['characters.delete.unknown-rejected', 'characters.code-20005.delete-unknown'],
  start: ['characters.session.unknown-character-rejected', 'characters.code-20005.start-unknown'],
} as const satisfies Record<string, readonly [RequirementId, RequirementId]>

/** Saves that must be refused, to create and to replace, and ids that nobody issued. */
export const refused: Scenario = {
  id: 'characters.refused-saves',
  needs: needsCharacters,
  proves: [
    ...faultRows,
    ...Object.values(unknown).flat(),
    ...seenInSaves,
    'characters.max-duration.create-four-accepted',
    'characters.max-duration.replace-four-accepted',
    'characters.create.refused-leaves-no-character',
    'characters.replace.refused-changes-nothing',
    'characters.replace.unknown-creates-nothing',
    'characters.replace.nested-gone',
    'characters.character.updated-at-kept-by-refused-replace',
    'characters.configuration.timeout-zero-echoed',
    'characters.configuration.response-defaults-echoed',
    'characters.session.timeout-zero-saved',
  ],
  price: { requests: { other_workspace: 42 }, typical: 38, sessions: { other_workspace: 1 }, waits: 2 },
  async drive(c) {
    const key = keyOf(c, 'other_workspace')
    const [looks, replaced, got] = [twoLooks(c), c.exchange(), c.exchange()]
    c.claim('characters.max-duration.create-four-accepted', either(looks, accepted))
    const cold = withColdest(shortLived(c, 'whole'))
    const { id, exchange: created } = await saveWhole(c, cold, looks, key)
    c.claim('characters.max-duration.replace-four-accepted', accepted(replaced))
    await replace(c, id, withOldAvatar(withOtherTool(shortLived(c, 'whole'))), { exchange: replaced, key })
    for (const fault of faults) await refuseCreate(c, fault, created, key)
    // A moved timestamp shows only after a second.
    await c.wait(1_100, 'timer')
    for (const fault of faults) await refuseReplace(c, fault, { id, twin: replaced, key })
    await get(c, id, { exchange: got, key })
    await list(c, key, (shown) => shown.has(id))
    await knock(c, id, { got, replaced, key })
  },
}

function shortLived(c: Context, word: string): JsonObject {
  // With the platform's own timeout, four seconds might be too short.
  const auto_close = { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 }
  const pair = pairCharacter(c, word)
  const [first, ...others] = pair['avatars'] as readonly JsonObject[]
  // Instructions of its own, so that what a refused save leaves behind shows and is found again.
  const avatars = [{ ...first, instructions: `Speak of ${c.id(word)}.` }, ...others]
  return { ...pair, avatars, max_duration_seconds: 4, auto_close }
}

/** With an avatar that no later replace of it has. */
function withOldAvatar(body: JsonObject): JsonObject {
  return { ...body, avatars: [...(body['avatars'] as readonly JsonObject[]), { avatar_id: cleo }] }
}

/** With the least temperature (section 8), which is not to be taken for none. */
function withColdest(body: JsonObject): JsonObject {
  const conversation = body['conversation'] as JsonObject
  return { ...body, conversation: { ...conversation, tools: [lookUp], response_defaults: { temperature: 0 } } }
}

/** A list takes the place of another one: none of its items is left. */
function withOtherTool(body: JsonObject): JsonObject {
  return { ...body, conversation: { tools: [{ ...lookUp, name: 'look_around' }] } }
}

/** The body that was taken, but for the fault and its own name. */
function bodyFor(c: Context, { id, change, text }: Fault, by: 'create' | 'replace'): RestCall {
  const whole = by === 'create' ? withColdest(shortLived(c, id)) : withOtherTool(shortLived(c, id))
  const body = change(whole, by)
  const known_by = at(body, '/name')
  if (text !== true || typeof known_by !== 'string') return { body }
  return { text: JSON.stringify(body).slice(0, -1), recall: { known_by } }
}

async function refuseCreate(c: Context, fault: Fault, twin: number, key: KeyName): Promise<void> {
  await refuse(c, { ...fault.create, twin }, 'create-character', { ...bodyFor(c, fault, 'create'), key })
}

interface Ground {
  readonly id: string
  readonly twin: number
  readonly key: KeyName
}

async function refuseReplace(c: Context, fault: Fault, { id, twin, key }: Ground): Promise<void> {
  const rows: FaultRows | undefined = fault.replace
  if (rows === undefined) return
  const call = { ...bodyFor(c, fault, 'replace'), key, params: { character_id: id } }
  await refuse(c, { ...rows, twin }, 'replace-character', call)
}

/** An id of the same form that was never issued, beside one that was. */
async function knock(
  c: Context,
  id: string,
  { got, replaced, key }: { readonly got: number; readonly replaced: number; readonly key: KeyName },
): Promise<void> {
  const strange = unissued(id)
  const [start, removed] = [c.exchange(), c.exchange()]
  const numbers = { replace: c.exchange(), get: c.exchange(), delete: c.exchange(), start: c.exchange() }
  const twins = { replace: replaced, get: got, delete: removed, start }
  for (const deed of ['replace', 'get', 'delete', 'start'] as const) {
    const [plain, coded] = unknown[deed]
    claimUnfound(c, { plain, coded }, strange, { exchange: numbers[deed], twin: twins[deed] })
  }
  c.claim('characters.replace.unknown-creates-nothing', rejected(numbers.get, got))
  await replace(c, strange.id, shortLived(c, 'strange'), { exchange: numbers.replace, key })
  await get(c, strange.id, { exchange: numbers.get, key })
  await missOddly(c, got, key)
  await remove(c, strange.id, { exchange: numbers.delete, key })
  await c.close(await begin(c, { character_id: id }, { exchange: start, key }))
  await beginInVain(c, { character_id: strange.id }, { exchange: numbers.start, key })
  await remove(c, id, { exchange: removed, key })
}

/** What is no id of any character either, by its shape: it may be refused with any code. */
async function missOddly(c: Context, twin: number, key: KeyName): Promise<void> {
  const exchange = c.exchange()
  c.claim(unknown.get[0], rejected(exchange, twin))
  await get(c, c.id('nobody'), { exchange, key })
}
