import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Condition, Pattern } from '#trace/claim'
import { event } from '#trace/conditions'
import { host, userMessage } from '../bodies.ts'
import { makeItem, retrieved, seek } from '../items/items.ts'
import { enter, knock, secretOf } from './knock.ts'
import { whole } from '../responses/responses.ts'
import { update } from '../updates/updates.ts'

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
export async function claimForeign(context: Context, { mine, other, itemId, note, found }: Neighbours): Promise<void> {
  const talk = await enter(context, mine, ['admission.query-token-admitted'])
  await update(talk, { active_avatar_id: host })
  const { id: own = '' } = await makeItem(talk, userMessage('This is another conversation.'))
  const secret = secretOf(other)
  await knock(context, mine, { rows: ['secret.other-session-token-refused'], options: { secret } }, talk.number)
  const bearer = { secret, credential: 'header' } as const
  await knock(context, mine, { rows: ['secret.other-session-bearer-refused'], options: bearer }, talk.number)

  const foreign = event(retrieved, { '/item/content/0/text': note })
  talk.claim('isolation.items-not-shared', talk.never(foreign, talk.opened), { given: [found] })
  talk.claim('isolation.events-not-shared', talk.never(telling(note), talk.opened), { given: [found] })
  await seek(talk, itemId, own, () => undefined)
  await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
}

/** Events that show a text of another session. */
export function telling(text: string): readonly Pattern[] {
  return [event('conversation.item.created', { '/item/content/0/text': text }), ...whole(text)]
}
