import type { Override } from '#target/behaviour/behaviour'
import type { Character, Saved } from '#target/characters/character'
import { around, drop, except, remembering, set } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import type { Rows } from './table.ts'

/** What `write` does with a record stands in for the write of a replace that is refused. */
export const onRefused = (
  refused: (code: string) => boolean,
  write: (old: Character, next: Saved) => Saved,
): Override =>
  remembering(() => {
    let writing = false
    return [
      set(
        'characters.writesRefused',
        (code, operation) => (writing = operation === 'replace-character' && refused(code)),
      ),
      around('characters.replaced', (replaced) => (old, next) => (writing ? write(old, next) : replaced(old, next))),
      around('characters.restamped', (restamped) => (old, now) => {
        const { createdAt, updatedAt } = old
        const times = writing ? { createdAt, updatedAt } : restamped(old, now)
        writing = false
        return times
      }),
    ]
  })

const SPARE: JsonObject = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'spare' }] }

/** What both saves refuse, and what lets it through: 4.2 "Same validation and moderation as create." */
export const refusedSaves = (noun: 'create' | 'replace'): Rows => {
  const validations = noun === 'create' ? 'validations.character' : 'validations.replacement'
  const operation = `${noun}-character`
  // Without avatars none can be active, whatever the save says of them elsewhere.
  const noneActive = except(`${validations}.session`, 'active-avatar-unknown', ({ avatars }) => avatars.length === 0)
  return {
    [`name-missing-rejected: A ${noun} needs no name.`]: drop(`${validations}.name`, 'name-missing'),
    [`json-invalid-rejected: A ${noun} whose body is no JSON writes an empty character.`]: around(
      'characters.unparsable',
      (unparsable) => (bytes, asked) =>
        asked === operation ? { name: 'Unnamed', ...SPARE } : unparsable(bytes, asked),
    ),
    [`avatars-missing-rejected: A ${noun} needs no avatars.`]: [
      drop(`${validations}.avatars`, 'avatars-missing'),
      noneActive,
    ],
    [`avatars-empty-rejected: A ${noun} may have no avatar.`]: [
      drop(`${validations}.avatars`, 'avatars-empty'),
      noneActive,
    ],
    [`avatar-id-missing-rejected: A ${noun} may have avatars without id.`]: drop(
      `${validations}.avatars`,
      'avatar-id-missing',
    ),
    [`avatar-id-empty-rejected: A ${noun} may have an avatar with an empty id.`]: drop(
      `${validations}.avatars`,
      'avatar-id-empty',
    ),
    [`avatar-id-duplicate-rejected: In a ${noun} avatars may share an id.`]: drop(
      `${validations}.avatars`,
      'avatar-id-repeated',
    ),
    [`active-avatar-unknown-rejected: A ${noun} may name an active avatar that it does not have.`]: drop(
      `${validations}.session`,
      'active-avatar-unknown',
    ),
    [`output-missing-rejected: A ${noun} needs no output when it says that it is video.`]: except(
      `${validations}.session`,
      'output-missing',
      ({ session }) => session['mode'] !== undefined,
    ),
    [`output-missing-default-mode-rejected: A ${noun} without session needs no output.`]: except(
      `${validations}.session`,
      'output-missing',
      ({ body }) => body['session'] === undefined,
    ),
    [`moderated-rejected: A ${noun} is not moderated.`]: set('characters.moderates', (asked) => asked !== operation),
  }
}
