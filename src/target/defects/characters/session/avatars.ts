import type { Override } from '#target/behaviour/behaviour'
import { omit } from '#target/overrides/changes'
import { around, drop, several } from '#target/overrides/operators'
import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import { activeOf, onStart } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

function listed(object: JsonObject): unknown[] {
  const { avatars } = object
  return Array.isArray(avatars) ? avatars : []
}

/** Avatars that a start sends replace the saved ones, where the saved active avatar is among them. */
const replaceAvatars: Override = several(
  drop('validations.start.body', 'avatars-sent'),
  around('characters.sessions.body', (body) => (saved, sent, combination) => {
    const made = body(saved, sent, combination)
    return sent['avatars'] === undefined ? made : { ...made, avatars: sent['avatars'] }
  }),
)

/** Avatars that a start sends are added to the saved ones, or take the place of their namesakes. */
const mergeAvatars: Override = several(
  drop('validations.start.body', 'avatars-sent'),
  around('characters.sessions.body', (body) => (saved, sent, combination) => {
    const made = body(saved, sent, combination)
    const given = objectsAt(sent, 'avatars')
    const avatars = objectsAt(made, 'avatars').map((one) => ({
      ...one,
      ...given.find(({ avatar_id }) => avatar_id === one['avatar_id']),
    }))
    return { ...made, avatars }
  }),
)

export const sessionDefects = defectsOf('characters.session', {
  'avatars-saved: A session has its active avatar alone.': onStart((body) => ({
    ...body,
    avatars: [activeOf(body) ?? {}],
  })),
  'avatars-saved~voices: Avatars of a session have lost their voices.': onStart(omit('avatars.*.voice')),
  'avatars-without-effect: Avatars that are sent replace the saved ones.': [
    drop('validations.start.body', 'avatars-sent'),
    onStart((body, sent) => {
      const [first] = objectsAt(sent, 'avatars')
      if (first === undefined) return body
      const session = { ...objectAt(body, 'session'), active_avatar_id: first['avatar_id'] }
      return { ...body, session, avatars: listed(sent) }
    }),
  ],
  'avatars-without-effect~added: Avatars that are sent join the saved ones.': [
    drop('validations.start.body', 'avatars-sent'),
    onStart((body, sent, saved) => ({ ...body, avatars: [...listed(saved), ...listed(sent)] })),
  ],
  'avatars-without-effect~replaced: Avatars that a start sends replace the saved ones, if the active one is among them.':
    replaceAvatars,
  'avatars-without-effect~merged: Avatars that a start sends change their namesakes among the saved ones.':
    mergeAvatars,
})
