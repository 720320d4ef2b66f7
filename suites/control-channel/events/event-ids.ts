import { equals, event, inEvent, value } from '#trace/conditions'
import { plain } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { claiming } from '../step.ts'
import { look, update } from '../updates/updates.ts'

/** Section 8: "`event_id` length: Up to 512 characters". */
const longest = 512

/** Event ids at both sides of their bound; beyond it the update is refused and has no effect. */
export const tryEventIds = claiming({
  'event-id': ['512-accepted 512-echoed-whole 513-rejected 513-changes-nothing 512-non-ascii-accepted empty-accepted'],
}).step(async (talk, turn: () => string) => {
  const { context } = talk
  const avatar = turn()
  const fits = context.id('longest').padEnd(longest, 'xX')
  const { confirmed } = await update(
    talk,
    { active_avatar_id: avatar },
    {
      id: fits,
      expect: (it) => ({
        'event-id.512-accepted': it.shows({ active_avatar_id: avatar }),
        'event-id.512-echoed-whole': equals(inEvent(it.updated, '/event_id'), value(fits)),
      }),
    },
  )
  const event_id = context.id('too-long').padEnd(longest + 1, 'x')
  const message = { type: 'session.update', event_id, session: { active_avatar_id: plain } }
  const { rejected } = await talk.fault(message, (it) => ({
    'event-id.513-rejected': given(confirmed, it.rejected),
    'event-id.513-changes-nothing': given(
      confirmed,
      talk.never(event('session.updated', { '/event_id': event_id }), it.at),
    ),
  }))
  await look(talk, (it) => ({
    'event-id.513-changes-nothing': onlyIf([confirmed, rejected, it.confirmed], it.shows({ active_avatar_id: avatar })),
  }))
  const [wide, empty] = [turn(), turn()]
  await update(
    talk,
    { active_avatar_id: wide },
    {
      id: context.id('wide').padEnd(longest, 'ü'),
      expect: (it) => ({ 'event-id.512-non-ascii-accepted': it.shows({ active_avatar_id: wide }) }),
    },
  )
  await update(
    talk,
    { active_avatar_id: empty },
    {
      id: '',
      expect: (it) => ({ 'event-id.empty-accepted': it.shows({ active_avatar_id: empty }) }),
    },
  )
})
