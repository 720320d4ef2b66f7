import { omit } from '#target/overrides/changes'
import { around } from '#target/overrides/operators'
import { isWire, objectAt, objectsAt } from '#target/wire'
import { onStart, taken } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'conversation-instructions-saved: A session has no instructions of its conversation.': onStart(
    omit('conversation.instructions'),
  ),
  'conversation-without-effect: A conversation that is sent replaces the saved one.': taken('conversation'),
  'conversation-without-effect~instructions-replaced: Instructions that a start sends take the place of saved ones.':
    around('characters.sessions.body', (body) => (saved, sent, combination) => {
      const made = body(saved, sent, combination)
      const { instructions } = objectAt(sent, 'conversation')
      if (instructions === undefined || !isWire(made['conversation'])) return made
      return { ...made, conversation: { ...made['conversation'], instructions } }
    }),
  'conversation-without-effect~tools: Tools that a start sends are added.': around(
    'characters.sessions.body',
    (body) => (saved, sent, combination) => {
      const made = body(saved, sent, combination)
      const tools = objectsAt(objectAt(sent, 'conversation'), 'tools')
      if (tools.length === 0) return made
      const own = objectAt(made, 'conversation')
      return { ...made, conversation: { ...own, tools: [...objectsAt(own, 'tools'), ...tools] } }
    },
  ),
  'conversation-without-effect~unsaved: A conversation sent with a start takes effect where the character saved none.':
    around('characters.sessions.body', (body) => (saved, sent, combination) => ({
      ...(isWire(sent['conversation']) ? { conversation: sent['conversation'] } : {}),
      ...body(saved, sent, combination),
    })),
})
