import type { KeyName } from '#spec/profile'
import { pickKey } from '#scenario/author/pick-key'
import type { Context } from '#scenario/author/context'
import { acceptance, outcome, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { answer, equals, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { get, list, mustSave, needsCharacters, replace, save } from '../acts.ts'
import { ada, bea, lookUp, pairCharacter } from '../bodies.ts'

/** With a text in every place that holds one. */
function spoken(c: Context, word: string, text: string, disconnected_timeout_seconds = 30): JsonObject {
  return {
    ...pairCharacter(c, word),
    auto_close: { disconnected_timeout_seconds },
    avatars: [ada, bea].map((avatar_id) => ({ avatar_id, instructions: text })),
    conversation: { tools: [{ ...lookUp, description: text }] },
  }
}

/** With a text in the instructions of one avatar alone. */
function spokenBy(c: Context, place: number, text: string, seconds?: number): JsonObject {
  const body = spoken(c, 'foul', 'Speak of rivers.', seconds)
  const avatars = body['avatars'] as readonly JsonObject[]
  return { ...body, avatars: avatars.map((one, at) => (at === place ? { ...one, instructions: text } : one)) }
}

interface Ground {
  readonly foul: string
  readonly created: number
  readonly key: KeyName
}

const onCreate = {
  rows: 'characters.create.moderated-rejected',
  coded: 'characters.code-30001.create-moderated',
  codes: [30001],
} as const

/**
 * What of a character is its content is not said: where the text is refused of one avatar, it is refused of the other one
 * as well; where it is not, it is tried everywhere at once.
 *
 * @returns whether it was refused of one avatar alone
 */
const refuseCreates = step(
  rowsOfRefusals([onCreate]),
  async (c, { foul, created: control, key }: Ground): Promise<boolean> => {
    const refusal = { ...onCreate, control }
    const first = c.exchange()
    const taken = await save(c, spokenBy(c, 0, foul), { exchange: first, key })
    if (taken !== undefined) {
      await save(c, spoken(c, 'foul', foul), { key, expect: rejection(refusal) })
      return false
    }
    c.expect(rejection(refusal), first)
    const expect = rejection(refusal, { onlyIf: [rejected(first, control, onCreate.codes)] })
    await save(c, spokenBy(c, 1, foul), { key, expect })
    return true
  },
)

const onReplace = {
  rows: 'characters.replace.moderated-rejected',
  coded: 'characters.code-30001.replace-moderated',
  codes: [30001],
} as const
const unchanged = 'characters.replace.moderated-changes-nothing'

/** "Content is checked by moderation on save" (4.2): the same text wherever a character holds text. */
export const moderation = scenario({
  id: 'characters.moderation',
  needs: { ...needsCharacters, triggers: ['moderated_text'] },
  steps: [refuseCreates],
  claims: [onReplace.rows, onReplace.coded, unchanged],
  observes: ['characters.create.refused-leaves-no-character', 'characters.replace.refused-changes-nothing'],
  price: { requests: { same_workspace: 10 }, typical: 8 },
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const foul = c.profile.triggers?.moderated_text ?? ''
    const created = c.exchange()
    const character_id = await mustSave(c, spoken(c, 'clean', 'Speak of rivers.'), { exchange: created, key })
    const name = c.id('clean-again')
    const clean = { ...spoken(c, 'clean', 'Speak of mountains.'), name }
    const { exchange: control } = await replace(c, character_id, clean, { key })
    const alone = await refuseCreates(c, { foul, created, key })
    // "Same … moderation as create" (4.2): what was refused of one avatar there is refused here.
    const body = alone ? spokenBy(c, 0, foul, 20) : spoken(c, 'foul-again', foul, 20)
    await replace(c, character_id, body, { key, expect: rejection({ ...onReplace, control }) })
    const shows = (place: string, what: string | number) =>
      outcome(unchanged, (exchange) => equals(answer(exchange, `/data/${place}`), value(what)))
    const expect = [
      acceptance(unchanged),
      shows('name', name),
      shows('auto_close/disconnected_timeout_seconds', 30),
      shows('avatars/**', 'Speak of mountains.'),
    ]
    await get(c, character_id, { key, expect })
    await list(c, key, (shown) => shown.has(character_id))
  },
})
