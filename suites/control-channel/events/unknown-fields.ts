import { all, echoes, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speech, userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { finish, quiet, start } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

const stray = { x_note: { of: ['greenroom', 4] } }

/** "Clients and servers ignore fields they do not recognize": wherever they stand, what is asked for happens. */
export async function tryUnknownFields(talk: Talk, turn: () => string): Promise<void> {
  const beside = turn()
  await update(
    talk,
    { active_avatar_id: beside },
    {
      beside: stray,
      write: (it) => talk.claim('message.unknown-field-ignored', it.shows({ active_avatar_id: beside })),
    },
  )
  const nested = turn()
  await update(
    talk,
    { active_avatar_id: nested, ...stray },
    {
      write: (it) => talk.claim('message.unknown-nested-field-ignored', it.shows({ active_avatar_id: nested })),
    },
  )
  const note = userMessage('Here is a note.')
  const part = { type: 'input_text', text: 'Here is a note.', ...stray }
  await makeItem(
    talk,
    { ...note, ...stray, content: [part] },
    (it) => {
      const kept = echoes(inEvent(it.answer, '/item'), value(note))
      talk.claim('message.unknown-nested-field-ignored', all(it.confirmed, kept))
    },
    stray,
  )
  for (const response of scripts) await speakAllTheSame(talk, response)
}

const text = 'There is more in this message than you know.'
const vocal = { type: 'speech', text }

/** One in the response, in its script, and in the vocal part of that. */
const scripts: readonly JsonObject[] = [
  speech(text, stray),
  { script: { vocal, ...stray } },
  { script: { vocal: { ...vocal, ...stray } } },
]

async function speakAllTheSame(talk: Talk, response: JsonObject): Promise<void> {
  const started = await start(talk, response, (it) => {
    const spoken = { type: 'response.output_text.done', where: { '/text': text } }
    talk.claim(
      'message.unknown-nested-field-ignored',
      all(it.started, talk.eventually(spoken, it.at, { within: 4 * talk.patience })),
    )
  })
  await finish(talk, started)
  await quiet(talk)
}
