import { pickKey } from '#scenario/author/pick-key'
import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { either, twoLooks } from '#scenario/author/look-twice'
import { acceptance, rejection } from '#scenario/author/expectation'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import { accepted } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { begin, beginInVain, get, list, needsCharacters, remove, replace, saveWhole, send } from '../acts.ts'
import { cleo, lookUp, pairCharacter } from '../bodies.ts'
import { seenInSaves } from '../proves.ts'
import { type Fault, faultRows, faults } from './refused-table.ts'

const operations = {
  get: 'characters.get.unknown-rejected',
  replace: 'characters.replace.unknown-rejected',
  delete: 'characters.delete.unknown-rejected',
  start: 'characters.session.unknown-character-rejected',
} as const

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

interface Ground {
  readonly id: string
  readonly key: KeyName
  /** Saves that were accepted, and a Get. */
  readonly created: number
  readonly replaced: number
  readonly got: number
}

/** Each fault in a create and in a replace, beside the same without it. */
const refuseFaults = step(faultRows, async (c, { id, key, created, replaced }: Ground) => {
  for (const fault of faults) {
    if (sentOf(c, [fault.create]).length === 0) continue
    const expect = rejection({ ...fault.create, control: created })
    await send(c, 'create-character', { ...bodyFor(c, fault, 'create'), key, expect })
  }
  // A moved timestamp shows only after a second.
  await c.wait(1_100, 'timer')
  for (const fault of faults) {
    if (fault.replace === undefined || sentOf(c, [fault.replace]).length === 0) continue
    const expect = rejection({ ...fault.replace, control: replaced })
    await send(c, 'replace-character', { ...bodyFor(c, fault, 'replace'), key, params: { character_id: id }, expect })
  }
})

/** An id of the same form that was never issued, beside one that was. */
const missUnknown = step(
  [
    ...Object.values(operations),
    'characters.code-20005.get-unknown',
    'characters.code-20005.replace-unknown',
    'characters.code-20005.delete-unknown',
    'characters.code-20005.start-unknown',
    'characters.replace.unknown-creates-nothing',
  ],
  async (c, { id, key, replaced, got }: Ground) => {
    const strange = unissued(id)
    const [started, removed] = [c.exchange(), c.exchange()]
    const controls = { get: got, replace: replaced, delete: removed, start: started }
    const missing = <Deed extends keyof typeof operations>(deed: Deed) =>
      unfound<(typeof operations)[Deed] | `characters.code-20005.${Deed}-unknown`>(
        { rows: operations[deed], coded: `characters.code-20005.${deed}-unknown` },
        strange,
        controls[deed],
      )
    await replace(c, strange.id, shortLived(c, 'strange'), { key, expect: missing('replace') })
    const nothing = rejection({ rows: 'characters.replace.unknown-creates-nothing', control: got })
    await get(c, strange.id, { key, expect: [missing('get'), nothing] })
    // What is no id of any character either, by its shape: it may be refused with any code.
    await get(c, c.id('nobody'), { key, expect: rejection({ rows: operations.get, control: got }) })
    await remove(c, strange.id, { key, expect: missing('delete') })
    await c.close(await begin(c, { character_id: id }, { exchange: started, key }))
    await beginInVain(c, { character_id: strange.id }, { key, expect: missing('start') })
    await remove(c, id, { exchange: removed, key })
  },
)

const createFour = 'characters.max-duration.create-four-accepted'
const replaceFour = 'characters.max-duration.replace-four-accepted'

/** Saves that must be refused, to create and to replace, and ids that nobody issued. */
export const refused = scenario({
  id: 'characters.refused-saves',
  needs: needsCharacters,
  steps: [refuseFaults, missUnknown],
  claims: [createFour, replaceFour],
  observes: [
    ...seenInSaves,
    'characters.create.refused-leaves-no-character',
    'characters.replace.refused-changes-nothing',
    'characters.replace.nested-gone',
    'characters.character.updated-at-kept-by-refused-replace',
    'characters.configuration.timeout-zero-echoed',
    'characters.configuration.response-defaults-echoed',
    'characters.session.timeout-zero-saved',
  ],
  price: { requests: { other_workspace: 42 }, typical: 38, sessions: { other_workspace: 1 }, waits: 2 },
  optional: optionalRefusals(
    faults.map(({ create }) => create),
    faults.flatMap(({ replace: again }) => again ?? []),
  ),
  async drive(c) {
    const key = pickKey(c, 'other_workspace')
    const looks = twoLooks(c)
    c.claim(createFour, either(looks, accepted))
    const cold = withColdest(shortLived(c, 'whole'))
    const { id, exchange: created } = await saveWhole(c, cold, looks, key)
    const again = withOldAvatar(withOtherTool(shortLived(c, 'whole')))
    const { exchange: replaced } = await replace(c, id, again, { key, expect: acceptance(replaceFour) })
    const ground = { id, key, created, replaced, got: c.exchange() }
    await refuseFaults(c, ground)
    await get(c, id, { exchange: ground.got, key })
    await list(c, key, (shown) => shown.has(id))
    await missUnknown(c, ground)
  },
})
