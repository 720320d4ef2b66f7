import type { Condition } from '#trace/claim'
import { equals, event, inEvent, value } from '#trace/conditions'
import { plain } from '../bodies.ts'
import type { Talk } from '../talk.ts'
import { look, update } from '../updates/updates.ts'

/** Section 8: "`event_id` length: Up to 512 characters". */
const longest = 512

/** Event ids at both sides of their bound. */
export async function tryEventIds(talk: Talk, turn: () => string): Promise<void> {
  const avatar = turn()
  const fits = talk.context.id('longest').padEnd(longest, 'x')
  const { confirmed } = await update(
    talk,
    { active_avatar_id: avatar },
    {
      id: fits,
      write: (it) => {
        talk.claim('event-id.512-accepted', it.shows({ active_avatar_id: avatar }))
        talk.claim('event-id.512-echoed-whole', equals(inEvent(it.updated, '/event_id'), value(fits)))
      },
    },
  )
  await refuseLonger(talk, avatar, plain, [confirmed])
  await acceptOther(talk, 'event-id.512-non-ascii-accepted', talk.context.id('wide').padEnd(longest, 'ü'), turn())
  await acceptOther(talk, 'event-id.empty-accepted', '', turn())
}

async function acceptOther(
  talk: Talk,
  row: 'event-id.512-non-ascii-accepted' | 'event-id.empty-accepted',
  id: string,
  avatar: string,
): Promise<void> {
  await update(
    talk,
    { active_avatar_id: avatar },
    {
      id,
      write: (it) => talk.claim(row, it.shows({ active_avatar_id: avatar })),
    },
  )
}

/** One character more is refused, and the update has no effect. */
async function refuseLonger(talk: Talk, kept: string, wanted: string, given: readonly Condition[]): Promise<void> {
  const id = talk.context.id('too-long').padEnd(longest + 1, 'x')
  const message = { type: 'session.update', event_id: id, session: { active_avatar_id: wanted } }
  const { rejected } = await talk.fault(message, (it) => {
    talk.claim('event-id.513-rejected', it.rejected, { given })
    const applied = event('session.updated', { '/event_id': id })
    talk.claim('event-id.513-changes-nothing', talk.never(applied, it.at), { given })
  })
  await look(talk, (it) => {
    const options = { given: [...given, rejected, it.confirmed], choice: true }
    talk.claim('event-id.513-changes-nothing', it.shows({ active_avatar_id: kept }), options)
  })
}
