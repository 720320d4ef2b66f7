import { all, echoes, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add } from '../assets/additions.ts'
import { speech, userMessage } from '../bodies.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { takesMore } from '../full.ts'
import { makeItem } from '../items/items.ts'
import { fromClient } from '../items/write.ts'
import { quiet, respond } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { update } from '../updates/updates.ts'
import { stray } from './stray.ts'

const text = 'There is more in this message than you know.'
const vocal = { type: 'speech', text }

/** One in the response, in its script, and in the vocal part of that. */
const scripts = [speech(text, stray), { script: { vocal, ...stray } }, { script: { vocal: { ...vocal, ...stray } } }]

/** "Clients and servers ignore fields they do not recognize": wherever they stand, what is asked for happens. */
export const tryUnknownFields = claiming({ message: 'unknown-field-ignored unknown-nested-field-ignored' }).step(
  async (talk, turn: () => string) => {
    const beside = turn()
    await update(
      talk,
      { active_avatar_id: beside },
      {
        beside: stray,
        expect: (it) => ({ 'message.unknown-field-ignored': it.shows({ active_avatar_id: beside }) }),
      },
    )
    const nested = turn()
    await update(talk, { active_avatar_id: nested, ...stray }, (it) => ({
      'message.unknown-nested-field-ignored': it.shows({ active_avatar_id: nested }),
    }))
    const note = userMessage('Here is a note.')
    const part = { type: 'input_text', text: 'Here is a note.', ...stray }
    const item = { ...note, ...stray, content: [part] }
    await makeItem(
      talk,
      item,
      (it) => {
        const kept = echoes(inEvent(it.answer, '/item'), value(note))
        const more = takesMore(talk, fromClient, it.confirmed)
        return {
          'message.unknown-nested-field-ignored': onlyIf(more, all(it.confirmed, kept)),
          'message.unknown-field-ignored': onlyIf(more, it.confirmed),
        }
      },
      stray,
    )
    const asset = { asset_id: talk.context.id('asset'), text, ...stray }
    const avatar = { avatar_id: talk.context.id('avatar'), instructions: 'Be brief.', ...stray }
    const accepted = 'message.unknown-nested-field-ignored'
    await add(talk, 'asset.add', { assets: { speech_text: [asset], ...stray } }, { accepted })
    await add(talk, 'avatar.add', { avatars: [avatar] }, { accepted })
    const speak = async (row: `message.unknown-${'' | 'nested-'}field-ignored`, response: JsonObject, around = {}) => {
      await respond(
        talk,
        response,
        (it) => {
          const told = { type: 'response.output_text.done', where: { '/text': text } }
          const spoken = talk.eventually(told, it.at, { within: 4 * talk.patience })
          return forRows(row, all(it.started, spoken))
        },
        around,
      )
      await quiet(talk)
    }
    await speak('message.unknown-field-ignored', speech(text), stray)
    for (const response of scripts) await speak(accepted, response)
  },
)
