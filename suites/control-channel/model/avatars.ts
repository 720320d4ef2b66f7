import { readOnce } from '#judge/read-once'
import { type Addition, type Additions, type Form, type Member, pairAdditions } from './additions.ts'
import { isOfCharacter, objectsAt, type Session, textAt } from './sessions.ts'
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
  // "`avatars` must not be sent" (4.1) with a character: what is sent all the same may be ignored.
  const given = asked.length > 0 && !isOfCharacter(body) ? asked : shown
  return { ...pairAdditions(session, form), given, shown }
})

interface Definition {
  readonly addition: Addition
  readonly avatar: Avatar
}

/** Definitions by avatar id: what was given at creation, and what was to be added, in the order in which it was sent. */
const definitionsOf = readOnce((session: Session) => {
  const { given, additions } = avatarsOf(session)
  const added = new Map<string, Definition[]>()
  for (const addition of additions) {
    if (addition.refused !== undefined) continue
    for (const { id, value } of addition.members) {
      const known = added.get(id)
      const definition = { addition, avatar: readAvatar(value) }
      if (known === undefined) added.set(id, [definition])
      else known.push(definition)
    }
  }
  return { given: new Map(given.map(({ id, value }) => [id, readAvatar(value)])), added }
})

/** Avatars that the session may have at a moment; undefined for one that it cannot have. */
export function avatarsAt(session: Session, line: number): Avatars {
  const { given, added } = definitionsOf(session)
  return (id) => given.get(id) ?? addedBy(added.get(id) ?? [], line)
}

/** Up to the first that was confirmed: later ones change nothing. */
function addedBy(definitions: readonly Definition[], line: number): Avatar | undefined {
  let found: Avatar | undefined
  for (const { addition, avatar } of definitions) {
    if (addition.sent.line > line) continue
    found = found === undefined ? avatar : merge(found, avatar)
    if (addition.confirmed !== undefined) return found
  }
  return found
}
