import type { AnyContext as Context, CreateOptions } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { speech, textChat, userMessage } from '../bodies.ts'
import { claimForeign, telling } from './foreign.ts'
import { keepItemsApart, speakBeside } from './same-ids.ts'
import { makeItem, retrieve } from '../items/items.ts'
import { respond } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { Talk } from '../talk.ts'

const proves = rows(
  'admission.query-token-admitted',
  'item-retrieve.content',
  'response-created.request-event-id-names-request',
  'secret.other-session-token-refused',
  'secret.other-session-bearer-refused',
  'isolation.items-not-shared',
  'isolation.events-not-shared',
  'scheduling.reject-if-busy-idle-starts',
)

/** Two sessions of one workspace, open at the same time. */
const inOneWorkspace: Scenario = {
  id: 'control-channel.isolation',
  proves,
  price: { requests: { primary: 4 }, sessions: { primary: 2 } },
  drive: (context) => keepApart(context, {}),
}

/** Two sessions of two workspaces. */
const acrossWorkspaces: Scenario = {
  id: 'control-channel.isolation-across-workspaces',
  proves,
  needs: { keys: ['other_workspace'] },
  price: { requests: { primary: 2, other_workspace: 2 }, sessions: { primary: 1, other_workspace: 1 } },
  drive: (context) => keepApart(context, { key: 'other_workspace' }),
}

export const isolation: readonly Scenario[] = [inOneWorkspace, acrossWorkspaces]

/** The other session writes and speaks while ours listens. */
async function keepApart(context: Context, options: CreateOptions): Promise<void> {
  const note = `Only we know of the ${context.id('lantern')}.`
  const words = `Nobody else hears of the ${context.id('bridge')}.`
  const mine = await context.create(textChat())
  const other = await context.create(textChat(), options)
  const listener = new Talk(context, await context.connect(mine))
  const speaker = new Talk(context, await context.connect(other))
  const { id: itemId = '' } = await makeItem(speaker, userMessage(note))
  const { confirmed: found } = await retrieve(speaker, itemId)
  const { started } = await respond(speaker, speech(words))
  const foreign = [...telling(note), ...telling(words)]
  listener.claim('isolation.events-not-shared', listener.never(foreign, listener.opened), { given: [found, started] })
  await speakBeside(speaker, listener)
  await keepItemsApart(speaker, listener)
  // Whether several connections of one session may be open at a time is not said.
  await listener.leave()
  await claimForeign(context, { mine, other, itemId, note, found })
}
