import type { KeyName } from '#spec/profile'
import { keyOf } from '#scenario/author/key-of'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, answer, equals, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { get, list, mustSave, needsCharacters, refuse, replace, save } from '../acts.ts'
import { ada, bea, lookUp, pairCharacter } from '../bodies.ts'

const code = [30001]

/** "Content is checked by moderation on save" (4.2): the same text wherever a character holds text. */
export const moderation: Scenario = {
  id: 'characters.moderation',
  needs: { ...needsCharacters, triggers: ['moderated_text'] },
  proves: [
    'characters.create.moderated-rejected',
    'characters.code-30001.create-moderated',
    'characters.replace.moderated-rejected',
    'characters.code-30001.replace-moderated',
    'characters.replace.moderated-changes-nothing',
    'characters.create.refused-leaves-no-character',
    'characters.replace.refused-changes-nothing',
  ],
  price: { requests: { same_workspace: 10 }, typical: 8 },
  async drive(c) {
    const key = keyOf(c, 'same_workspace')
    const foul = c.profile.triggers?.moderated_text ?? ''
    const [created, replaced, after] = [c.exchange(), c.exchange(), c.exchange()]
    const character_id = await mustSave(c, spoken(c, 'clean', 'Speak of rivers.'), { exchange: created, key })
    const name = c.id('clean-again')
    const clean = { ...spoken(c, 'clean', 'Speak of mountains.'), name }
    await replace(c, character_id, clean, { exchange: replaced, key })
    await refuseCreates(c, foul, { created, key })
    await refuse(
      c,
      {
        rows: ['characters.replace.moderated-rejected'],
        code: [['characters.code-30001.replace-moderated'], code],
        twin: replaced,
      },
      'replace-character',
      { key, params: { character_id }, body: spoken(c, 'foul-again', foul, 20) },
    )
    const row = 'characters.replace.moderated-changes-nothing'
    c.claim(row, accepted(after))
    c.claim(row, equals(answer(after, '/data/name'), value(name)))
    c.claim(row, equals(answer(after, '/data/auto_close/disconnected_timeout_seconds'), value(30)))
    c.claim(row, equals(answer(after, '/data/avatars/**'), value('Speak of mountains.')))
    await get(c, character_id, { exchange: after, key })
    await list(c, key, (shown) => shown.has(character_id))
  },
}

/** With a text in every place that holds one. */
function spoken(c: Context, word: string, text: string, disconnected_timeout_seconds = 30): JsonObject {
  return {
    ...pairCharacter(c, word),
    auto_close: { disconnected_timeout_seconds },
    avatars: [ada, bea].map((avatar_id) => ({ avatar_id, instructions: text })),
    conversation: { tools: [{ ...lookUp, description: text }] },
  }
}

interface Ground {
  readonly created: number
  readonly key: KeyName
}

/**
 * What of a character is its content is not said: where the text is refused of one avatar, it is refused of the other one
 * as well; where it is not, it is tried everywhere at once.
 */
async function refuseCreates(c: Context, foul: string, { created, key }: Ground): Promise<void> {
  const [first, second, whole] = [c.exchange(), c.exchange(), c.exchange()]
  const claim = (exchange: number, options: { given?: readonly Condition[]; given_code?: 'model_choice' } = {}) => {
    c.claim('characters.create.moderated-rejected', rejected(exchange, created), options)
    c.claim('characters.code-30001.create-moderated', rejected(exchange, created, code), options)
  }
  const taken = await save(c, spokenBy(c, 0, foul), { exchange: first, key })
  if (taken === undefined) {
    claim(first)
    claim(second, { given: [rejected(first, created, code)], given_code: 'model_choice' })
    await save(c, spokenBy(c, 1, foul), { exchange: second, key })
  } else {
    claim(whole)
    await save(c, spoken(c, 'foul', foul), { exchange: whole, key })
  }
}

/** With a text in the instructions of one avatar alone. */
function spokenBy(c: Context, place: number, text: string): JsonObject {
  const body = spoken(c, 'foul', 'Speak of rivers.')
  const avatars = body['avatars'] as readonly JsonObject[]
  return { ...body, avatars: avatars.map((one, at) => (at === place ? { ...one, instructions: text } : one)) }
}
