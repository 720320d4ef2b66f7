import type { Character } from '#target/characters/character'
import { around, remembering } from '#target/overrides/operators'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import { isStarted, taken } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'
import { unshown } from '../../tools/unshown.ts'

export const sessionDefects = defectsOf('characters.session', {
  'auto-close-applies-later: A start takes the timeouts that were saved first.': remembering(() => {
    const first = new Map<string, unknown>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration['auto_close'])
        return replaced(old, next)
      }),
      around(
        'characters.sessions.saved',
        (saved) => (character) =>
          first.has(character.id) ? { ...saved(character), auto_close: first.get(character.id) } : saved(character),
      ),
    ]
  }),
  'auto-close-applies-later~first-start: What a character was at its first start is what all later starts use.': around(
    'characters.sessions.saved',
    () => {
      const first = new WeakMap<Character, JsonObject>()
      return (character) => {
        const known = first.get(character) ?? character.configuration
        first.set(character, known)
        return known
      }
    },
  ),
  'auto-close-disconnected-closes: A disconnected timeout from a character never ends.': around(
    'lifecycle.disconnectedMs',
    (disconnectedMs) => (policy, session) => (isStarted(session) ? 0 : disconnectedMs(policy, session)),
  ),
  'auto-close-disconnected-closes~unshown: A disconnected timeout from a character never ends, and Get tells no status.':
    [
      around(
        'lifecycle.disconnectedMs',
        (disconnectedMs) => (policy, session) => (isStarted(session) ? 0 : disconnectedMs(policy, session)),
      ),
      ...unshown,
    ],
  'auto-close-disconnected-closes~lite: Sessions of the lightweight model have no disconnected timeout.': around(
    'lifecycle.disconnectedMs',
    (disconnectedMs) => (policy, session) =>
      session.plan.model === 'svc-a1-stream-lite' ? 0 : disconnectedMs(policy, session),
  ),
  'auto-close-without-effect: Timeouts that are sent replace the saved ones.': taken('auto_close'),
  'auto-close-without-effect~member: A timeout that is sent with a start takes effect where the saved auto_close lacks it.':
    around('characters.sessions.body', (body) => (saved, sent, combination) => {
      const made = body(saved, sent, combination)
      const both = isWire(saved['auto_close']) && isWire(sent['auto_close'])
      return both
        ? { ...made, auto_close: { ...objectAt(sent, 'auto_close'), ...objectAt(saved, 'auto_close') } }
        : made
    }),
})
