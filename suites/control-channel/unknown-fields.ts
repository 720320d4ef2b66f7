import { all, echoes, inEvent, value } from '../../src/trace/conditions.ts'
import { speech, userMessage } from './bodies.ts'
import { makeItem } from './items.ts'
import { finish, quiet, start } from './responses.ts'
import type { Talk } from './talk.ts'
import { update } from './updates.ts'

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
  await makeItem(
    talk,
    userMessage('Here is a note.', stray),
    (it) => {
      const kept = echoes(inEvent(it.answer, '/item'), value(userMessage('Here is a note.')))
      talk.claim('message.unknown-nested-field-ignored', all(it.confirmed, kept))
    },
    stray,
  )
  const text = 'There is more in this message than you know.'
  const started = await start(talk, speech(text, stray), (it) => {
    const spoken = { type: 'response.output_text.done', where: { '/text': text } }
    talk.claim(
      'message.unknown-nested-field-ignored',
      all(it.started, talk.eventually(spoken, it.at, 4 * talk.patience)),
    )
  })
  await finish(talk, started)
  await quiet(talk)
}
