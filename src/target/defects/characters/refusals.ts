import type { Behaviour } from '#target/behaviour/behaviour'
import type { SaveOperation } from '#target/behaviour/characters/records'
import { waive } from '#target/behaviour/rules/waive'
import type { Wire } from '#target/wire'
import { defectsOf } from '../table.ts'

type Override = (behaviour: Behaviour) => void
type Tables = Behaviour['rules']['character']

const SPARE: Wire = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'spare' }] }

/** The fault of an output that is missing, where `lenient` says so. */
const outputMissing =
  (lenient: (session: Wire, body: Wire) => boolean) =>
  ({ session }: Tables): void => {
    const rule = session['output-missing']
    const { broken } = rule
    rule.broken = (input) => broken(input) && !lenient(input.session, input.body)
  }

/** Takes a save without avatars, whatever it says of them elsewhere. */
const avatarless =
  (id: 'avatars-missing' | 'avatars-empty') =>
  ({ avatars, session }: Tables): void => {
    waive(avatars, id)
    const rule = session['active-avatar-unknown']
    const { broken } = rule
    rule.broken = (input) => broken(input) && input.avatars.length > 0
  }

/** Lets a save without usable name pass where `lenient` says so. */
const nameless =
  (id: keyof Tables['name'], lenient: (name: unknown) => boolean) =>
  ({ name }: Tables): void => {
    const { broken } = name[id]
    name[id].broken = (input) => broken(input) && !lenient(input.body['name'])
  }

/** What both saves refuse, and what lets it through: 4.2 "Same validation and moderation as create." */
function refusalDefects(operation: SaveOperation) {
  const noun = operation === 'create-character' ? 'create' : 'replace'
  const held =
    (drop: (tables: Tables) => void): Override =>
    ({ rules }) =>
      drop(operation === 'create-character' ? rules.character : rules.replacement)
  const unparsed: Override = ({ characters }) => {
    const { unparsable } = characters
    characters.unparsable = (bytes, asked) =>
      asked === operation ? { name: 'Unnamed', ...SPARE } : unparsable(bytes, asked)
  }
  const unmoderated: Override = ({ characters }) => void (characters.moderates = (asked) => asked !== operation)
  return defectsOf('characters', {
    [`${noun}.name-missing-rejected`]: [`A ${noun} needs no name.`, held(nameless('name-missing', () => true))],
    [`${noun}.json-invalid-rejected`]: [`A ${noun} whose body is no JSON writes an empty character.`, unparsed],
    [`${noun}.avatars-missing-rejected`]: [`A ${noun} needs no avatars.`, held(avatarless('avatars-missing'))],
    [`${noun}.avatars-empty-rejected`]: [`A ${noun} may have no avatar.`, held(avatarless('avatars-empty'))],
    [`${noun}.avatar-id-missing-rejected`]: [
      `A ${noun} may have avatars without id.`,
      held(({ avatars }) => waive(avatars, 'avatar-id-missing')),
    ],
    [`${noun}.avatar-id-empty-rejected`]: [
      `A ${noun} may have an avatar with an empty id.`,
      held(({ avatars }) => waive(avatars, 'avatar-id-empty')),
    ],
    [`${noun}.avatar-id-duplicate-rejected`]: [
      `In a ${noun} avatars may share an id.`,
      held(({ avatars }) => waive(avatars, 'avatar-id-repeated')),
    ],
    [`${noun}.active-avatar-unknown-rejected`]: [
      `A ${noun} may name an active avatar that it does not have.`,
      held(({ session }) => waive(session, 'active-avatar-unknown')),
    ],
    [`${noun}.output-missing-rejected`]: [
      `A ${noun} needs no output when it says that it is video.`,
      held(outputMissing(({ mode }) => mode !== undefined)),
    ],
    [`${noun}.output-missing-default-mode-rejected`]: [
      `A ${noun} without session needs no output.`,
      held(outputMissing((_session, body) => body['session'] === undefined)),
    ],
    [`${noun}.moderated-rejected`]: [`A ${noun} is not moderated.`, unmoderated],
  })
}

const createOnly = defectsOf('characters', {
  'create.name-null-rejected': [
    'A create may have null for a name.',
    ({ rules }) => nameless('name-not-string', (name) => name === null)(rules.character),
  ],
  'create.name-not-string-rejected': [
    'A create may have a number for a name.',
    ({ rules }) => nameless('name-not-string', (name) => typeof name === 'number')(rules.character),
  ],
  'create.output-missing-mode-omitted-rejected': [
    'A create whose session has no mode needs no output.',
    ({ rules }) =>
      outputMissing((session, body) => body['session'] !== undefined && session['mode'] === undefined)(rules.character),
  ],
  'create.moderated-rejected~name': [
    'Moderation of a create looks at the name alone.',
    ({ characters }) => void (characters.moderatedTexts = (body) => [String(body['name'])]),
  ],
})

export const saveRefusalDefects = [
  ...refusalDefects('create-character'),
  ...refusalDefects('replace-character'),
  ...createOnly,
]
