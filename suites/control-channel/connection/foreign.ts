import type { OpenSession } from '#scenario/author/context'
import type { Condition, Pattern } from '#trace/claim'
import { event } from '#trace/conditions'
import { host, userMessage } from '../bodies.ts'
import { given } from '../expectation.ts'
import { makeItem, retrieved, seek } from '../items/items.ts'
import { whole } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { activate, update } from '../updates/updates.ts'
import { secretOf } from './secrets.ts'

export interface Neighbours {
  readonly mine: OpenSession
  readonly other: OpenSession
  /** An item of the other session, and its text. */
  readonly itemId: string
  readonly note: string
  /** The other session found the item. */
  readonly found: Condition
}

/** What one session must not open or find of another. */
export const keepForeignOut = claiming({
  admission: 'query-token-admitted',
  secret: 'other-session-token-refused other-session-bearer-refused',
  isolation: 'items-not-shared events-not-shared',
}).sceneStep(async (scene, { mine, other, itemId, note, found }: Neighbours) => {
  // Before the right one comes in: a service may refuse whoever comes second, whatever he bears.
  const control = scene.context.channelNumber()
  const foreign = { secret: secretOf(other), control }
  await scene.expectRefused(mine, ['secret.other-session-token-refused'], foreign)
  await scene.expectRefused(mine, ['secret.other-session-bearer-refused'], { ...foreign, credential: 'header' })
  const talk = await scene.expectAdmitted(mine, ['admission.query-token-admitted'], { channel: control })
  await activate(talk, host)
  const { id: own = '' } = await makeItem(talk, userMessage('This is another conversation.'))
  const shown = event(retrieved, { '/item/content/0/text': note })
  talk.expect({
    'isolation.items-not-shared': given(found, talk.never(shown, talk.opened)),
    'isolation.events-not-shared': given(found, talk.never(telling(note), talk.opened)),
  })
  await seek(talk, itemId, own, () => ({}))
  await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
})

/** Events that show a text of another session. */
export function telling(text: string): readonly Pattern[] {
  return [event('conversation.item.created', { '/item/content/0/text': text }), ...whole(text)]
}
