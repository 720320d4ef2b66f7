import { wireAt, wiresAt, without } from '#target/wire'
import { inside, onShown, START } from '../characters/tools.ts'
import { defectsOf } from '../table.ts'

/** 2.7, 3.6 and 1.6: a record that suffers from its contents, its namesakes or its neighbours. */
export const subtleRecordDefects = defectsOf('characters', {
  'create.refused-leaves-no-character~moderated': [
    'A create that moderation refuses is written.',
    ({ characters }) =>
      void (characters.writesRefused = (code, operation) => code === '30001' && operation === 'create-character'),
  ],
  'character.name-echoed~emoji': [
    'Characters of a name beyond sixteen bits become question marks.',
    ({ characters }) => {
      const { named } = characters
      characters.named = (body) => named(body).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')
    },
  ],
  'scope.other-workspace-start-rejected~started': [
    'A character that was started once may be started by any key.',
    ({ access, characters }) => {
      const started = new Set<string>()
      let asked = ''
      const { found, sessions } = characters
      const { named } = sessions
      const { sees } = access
      sessions.named = (sent, own) => (asked = named(sent, own))
      characters.found = (character, operation) => {
        if (operation === START) started.add(character.id)
        return found(character, operation)
      }
      access.sees = (account, owner, operation) =>
        sees(account, owner, operation) || (operation === START && started.has(asked))
    },
  ],
  'scope.other-workspace-replace-changes-nothing~time': [
    'A replace from another workspace is refused, and moves `updated_at`.',
    ({ characters }) => {
      let unseen = false
      const { found, replaced } = characters
      characters.found = (character, operation) => {
        unseen = false
        return found(character, operation)
      }
      characters.actsUnseen = (operation) => (unseen = operation === 'replace-character')
      characters.replaced = (old, next) =>
        unseen ? { name: old.name, configuration: old.configuration } : replaced(old, next)
    },
  ],
  'delete.leaves-others~namesake': [
    'A delete takes the characters of the same name along.',
    ({ characters }) =>
      void (characters.alsoDeletes = ({ name, account }, all) =>
        all.filter((one) => one.name === name && one.account.workspace === account.workspace)),
  ],
  'configuration.source-images-echoed~second-avatar': [
    'Of the images of a second avatar only the first comes back.',
    (behaviour) =>
      onShown(behaviour, (shown) => {
        const avatars = wiresAt(shown, 'avatars').map((avatar, place) => {
          const source_images = wiresAt(avatar['visual'], 'source_images').slice(0, 1)
          if (place === 0 || source_images.length === 0) return avatar
          return { ...avatar, visual: { ...wireAt(avatar, 'visual'), source_images } }
        })
        return avatars.length === 0 ? shown : { ...shown, avatars }
      }),
  ],
  'configuration.response-defaults-echoed~zero': [
    'A temperature of 0 is not returned.',
    (behaviour) =>
      onShown(behaviour, (shown) => {
        const defaults = inside(shown, 'conversation', 'response_defaults')
        if (defaults['temperature'] !== 0) return shown
        const response_defaults = without(defaults, 'temperature')
        return { ...shown, conversation: { ...wireAt(shown, 'conversation'), response_defaults } }
      }),
  ],
})
