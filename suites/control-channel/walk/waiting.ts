import { type JsonObject, textAt } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { speech } from '../bodies.ts'
import { ownItem, retrieve } from '../items/items.ts'
import { type BusySession, outOfBand } from '../responses/busy.ts'
import type { Talk } from '../talk.ts'
import { tryUpdate } from '../updates/updates.ts'
import { register } from './requests.ts'
import type { End } from './stages.ts'

/** How a walk asks for responses. */
export interface Asking {
  readonly talk: Talk
  readonly busy: BusySession
  /** The session is in video from its start. */
  readonly acting: boolean
  readonly words: () => string
  readonly send: (response: JsonObject, end?: End) => Promise<void>
  readonly hearOut: () => Promise<void>
}

const policy = { scheduling_policy: 'after_current_response' } as const

/** A text that is registered anew, or only now, while the request that names it waits. */
export async function queueText(
  operation: 'queue a registered text' | 'queue an unknown text',
  { talk, words, send }: Asking,
): Promise<void> {
  const known = operation === 'queue a registered text'
  const id = known ? await register(talk, words()) : talk.context.id('text')
  await send({ ...speechAsset(id), ...policy })
  await register(talk, words(), id)
}

/** What waits is as it was asked for, whatever the mode is when it starts. */
export async function queueOverMode({ talk, acting, words, send, hearOut }: Asking): Promise<void> {
  const modes = ['text_chat', 'video_avatar'] as const
  const [other, own] = acting ? modes : ([modes[1], modes[0]] as const)
  await send(speech(words(), policy))
  await tryUpdate(talk, { mode: other })
  await hearOut()
  await tryUpdate(talk, { mode: own })
}

/** What waited out of band is looked for behind its end: it is written nowhere. */
export async function queueAside({ talk, words, send, hearOut }: Asking): Promise<void> {
  await send(speech(words(), { ...policy, ...outOfBand }))
  await hearOut()
  const last = talk.channel.frames.findLast(({ type }) => type === 'response.output_item.done')
  const item_id = textAt(last?.data, '/item/id')
  if (item_id === undefined) return
  talk.send({ type: 'conversation.item.retrieve', event_id: talk.context.id('seek'), item_id })
  await retrieve(talk, await ownItem(talk))
}
