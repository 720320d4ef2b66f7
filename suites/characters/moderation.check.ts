import { keyOf } from '../../src/scenario/key-of.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted, answer, equals, value } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'
import { get, mustSave, needsCharacters, refuse, replace } from './acts.ts'
import { ada, textCharacter } from './bodies.ts'

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
  price: { requests: { same_workspace: 7 }, typical: 7 },
  async drive(c) {
    const key = keyOf(c, 'same_workspace')
    const spoken = (word: string, text: string, disconnected_timeout_seconds = 30): JsonObject => ({
      ...textCharacter(c, word),
      auto_close: { disconnected_timeout_seconds },
      avatars: [{ avatar_id: ada, instructions: text }],
      conversation: { instructions: text },
    })
    const foul = c.profile.triggers?.moderated_text ?? ''
    const [created, replaced, after] = [c.exchange(), c.exchange(), c.exchange()]
    const character_id = await mustSave(c, spoken('clean', 'Speak of rivers.'), { exchange: created, key })
    const name = c.id('clean-again')
    const clean = { ...spoken('clean', 'Speak of mountains.'), name }
    await replace(c, character_id, clean, { exchange: replaced, key })
    await refuse(
      c,
      {
        rows: ['characters.create.moderated-rejected'],
        code: [['characters.code-30001.create-moderated'], code],
        twin: created,
      },
      'create-character',
      { key, body: spoken('foul', foul) },
    )
    await refuse(
      c,
      {
        rows: ['characters.replace.moderated-rejected'],
        code: [['characters.code-30001.replace-moderated'], code],
        twin: replaced,
      },
      'replace-character',
      { key, params: { character_id }, body: spoken('foul-again', foul, 20) },
    )
    const row = 'characters.replace.moderated-changes-nothing'
    c.claim(row, accepted(after))
    c.claim(row, equals(answer(after, '/data/name'), value(name)))
    c.claim(row, equals(answer(after, '/data/auto_close/disconnected_timeout_seconds'), value(30)))
    c.claim(row, equals(answer(after, '/data/conversation/instructions'), value('Speak of mountains.')))
    await get(c, character_id, { exchange: after, key })
    await c.call('list-characters', { key })
  },
}
