import { readOnce } from '#judge/read-once'
import { type Additions, type Form, type Member, pairAdditions } from './additions.ts'
import { objectsAt, type Session, textAt } from './sessions.ts'
import { type Avatar, type Avatars, merge, readAvatar } from './state.ts'

const form: Form = {
  add: 'avatar.add',
  added: 'avatar.added',
  members: (event) =>
    objectsAt(event, 'avatars').flatMap((value) => {
      const id = textAt(value, 'avatar_id')
      return id === undefined ? [] : [{ id, kind: 'avatars', value }]
    }),
}

export interface AvatarBook extends Additions {
  /** Given at creation, as they were sent and as they were shown. */
  readonly given: readonly Member[]
  readonly shown: readonly Member[]
}

/** The avatars that a session was given or asked to add. */
export const avatarsOf = readOnce((session: Session): AvatarBook => {
  const { body, data } = session.create ?? { body: {}, data: {} }
  const [shown, asked] = [form.members(data), form.members(body)]
  return { ...pairAdditions(session, form), given: asked.length > 0 ? asked : shown, shown }
})

/** Avatars that the session may have at a moment; undefined for one that it cannot have. */
export function avatarsAt(session: Session, line: number): Avatars {
  const { given, additions } = avatarsOf(session)
  const found = new Map<string, Avatar>(given.map(({ id, value }) => [id, readAvatar(value)]))
  const settled = new Set(found.keys())
  for (const { sent, members, refused, confirmed } of additions) {
    if (sent.line > line || refused !== undefined) continue
    for (const { id, value } of members) {
      if (settled.has(id)) continue
      const earlier = found.get(id)
      found.set(id, earlier === undefined ? readAvatar(value) : merge(earlier, readAvatar(value)))
      if (confirmed !== undefined) settled.add(id)
    }
  }
  return (id) => found.get(id)
}
