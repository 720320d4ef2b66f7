import { pickKey } from '#scenario/author/pick-key'
import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { either, twoLooks } from '#scenario/author/look-twice'
import { acceptance, rejection } from '#scenario/author/expectation'
import { eachRowOnce, type Optional, optionalRefusals, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import { accepted } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { begin, beginInVain, get, list, needsCharacters, remove, replace, saveWhole, send } from '../acts.ts'
import { cleo, lookUp, named, pairCharacter } from '../bodies.ts'
import { seenInSaves } from '../observed.ts'
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
function bodyFor(c: Context, { id, change, text }: Fault, by: 'create' | 'replace', all: boolean): RestCall {
  const cold = withColdest(shortLived(c, id))
  const taken = by === 'replace' ? withOtherTool(shortLived(c, id)) : all ? cold : named(cold)
  const body = change(taken, by)
  const known_by = at(body, '/name')
  if (text !== true || typeof known_by !== 'string') return { body }
  // One brace is missing, which a lenient parser might make up, or one is left over, which it might not get to.
  const whole = JSON.stringify(body)
  return { text: by === 'create' ? whole.slice(0, -1) : `${whole}}`, recall: { known_by } }
}

interface Ground {
  readonly id: string
  readonly key: KeyName
  /** Whether the create took what 4.2 does not name of `conversation`. */
  readonly whole: boolean
  /** Saves that were accepted, and a Get. */
  readonly created: number
  readonly replaced: number
  readonly got: number
}

/** Each fault in a create and in a replace, beside the same without it. */
const refuseFaults = step(faultRows, async (c, { id, key, whole, created, replaced }: Ground) => {
  for (const fault of faults) {
    if (sentOf(c, [fault.create]).length === 0) continue
    const expect = rejection({ ...fault.create, control: created })
    await send(c, 'create-character', { ...bodyFor(c, fault, 'create', whole), key, expect })
  }
  // A moved timestamp shows only after a second.
  await c.wait(1_100, 'timer')
  for (const fault of faults) {
    if (fault.replace === undefined || sentOf(c, [fault.replace]).length === 0) continue
    const expect = rejection({ ...fault.replace, control: replaced })
    await send(c, 'replace-character', {
      ...bodyFor(c, fault, 'replace', whole),
      key,
      params: { character_id: id },
      expect,
    })
  }
})

const createsNothing = 'characters.replace.unknown-creates-nothing'

/** An id of the same form that was never issued, beside one that was. */
const missUnknown = step(
  [
    ...Object.values(operations),
    'characters.code-20005.get-unknown',
    'characters.code-20005.replace-unknown',
    'characters.code-20005.delete-unknown',
    'characters.code-20005.start-unknown',
    createsNothing,
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
    if (c.takes('unknown-replace')) {
      await replace(c, strange.id, shortLived(c, 'strange'), { key, expect: missing('replace') })
    }
    if (c.takes('unknown-get')) {
      const nothing = rejection({ rows: createsNothing, control: got })
      await get(c, strange.id, { key, expect: [missing('get'), nothing] })
      // What is no id of any character either, by its shape: it may be refused with any code.
      await get(c, c.id('nobody'), { key, expect: rejection({ rows: operations.get, control: got }) })
    }
    if (c.takes('unknown-delete')) await remove(c, strange.id, { key, expect: missing('delete') })
    if (c.takes('start')) await c.close(await begin(c, { character_id: id }, { exchange: started, key }))
    if (c.takes('unknown-start')) await beginInVain(c, { character_id: strange.id }, { key, expect: missing('start') })
    await remove(c, id, { exchange: removed, key })
  },
)

const createFour = 'characters.max-duration.create-four-accepted'
const replaceFour = 'characters.max-duration.replace-four-accepted'

/** One character tells nothing of what parts it from others. */
const seenInOne = seenInSaves.filter((row) => row !== 'characters.character.id-unique')

/** What refused replaces left of the character. */
const seenAfterReplaces = [
  'characters.replace.refused-changes-nothing',
  'characters.character.updated-at-kept-by-refused-replace',
  'characters.configuration.response-defaults-echoed',
] as const

const refusedCreates = optionalRefusals(faults.map(({ create }) => create))
const refusedReplaces = refusalsNeeding(
  () => ['replaced'],
  faults.flatMap(({ replace: again }) => again ?? []),
)

function unknownsNeeding(needs: Readonly<Record<keyof typeof operations, readonly string[]>>): readonly Optional[] {
  return (['replace', 'get', 'delete', 'start'] as const).map((deed) => ({
    id: `unknown-${deed}`,
    rows: [operations[deed], `characters.code-20005.${deed}-unknown`],
    requests: deed === 'get' ? 2 : 1,
    needs: needs[deed],
  }))
}

/** Saves that must be refused, to create and to replace, and ids that nobody issued. */
export const refused = scenario({
  id: 'characters.refused-saves',
  needs: needsCharacters,
  steps: [refuseFaults, missUnknown],
  claims: [createFour, replaceFour],
  observes: [
    ...seenInOne,
    'characters.create.refused-leaves-no-character',
    ...seenAfterReplaces,
    'characters.replace.nested-gone',
    'characters.configuration.timeout-zero-echoed',
    'characters.session.timeout-zero-saved',
  ],
  price: { requests: { other_workspace: 42 }, typical: 38, sessions: { other_workspace: 1 }, waits: 2 },
  optional: eachRowOnce([
    ...refusedCreates,
    ...refusedReplaces,
    { id: 'replaced', rows: [replaceFour, 'characters.replace.nested-gone'], also: seenInOne, requests: 1 },
    { id: 'read', rows: [], also: seenInOne, requests: 2 },
    // What a refused save left behind may depend on why it was refused.
    {
      id: 'after-creates',
      rows: ['characters.create.refused-leaves-no-character'],
      requests: 0,
      needs: ['read', ...refusedCreates.map(({ id }) => id)],
    },
    {
      id: 'after-replaces',
      rows: seenAfterReplaces,
      requests: 0,
      needs: ['read', ...refusedReplaces.map(({ id }) => id)],
    },
    { id: 'after-unknown', rows: [createsNothing], requests: 0, needs: ['unknown-replace', 'unknown-get'] },
    { id: 'start', rows: ['characters.session.timeout-zero-saved'], requests: 2 },
    ...unknownsNeeding({ replace: ['replaced'], get: ['read'], delete: [], start: ['start'] }),
  ]),
  async drive(c) {
    const key = pickKey(c, 'other_workspace')
    const looks = twoLooks(c)
    c.claim(createFour, either(looks, accepted))
    const cold = withColdest(shortLived(c, 'whole'))
    const { id, exchange: created } = await saveWhole(c, cold, looks, key)
    const again = withOldAvatar(withOtherTool(shortLived(c, 'whole')))
    const replaced = c.exchange()
    if (c.takes('replaced')) await replace(c, id, again, { exchange: replaced, key, expect: acceptance(replaceFour) })
    const ground = { id, key, whole: created === looks[0], created, replaced, got: c.exchange() }
    await refuseFaults(c, ground)
    if (c.takes('read')) {
      await get(c, id, { exchange: ground.got, key })
      await list(c, key, (shown) => shown.has(id))
    }
    await missUnknown(c, ground)
  },
})
