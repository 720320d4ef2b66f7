import type { CreateOptions } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { speech, textChat, userMessage } from '../bodies.ts'
import { given } from '../expectation.ts'
import { makeItem, retrieve } from '../items/items.ts'
import { asking, respond } from '../responses/responses.ts'
import { channelScenario, claiming } from '../step.ts'
import { keepForeignOut, telling } from './foreign.ts'
import { keepItemsApart, numberAlike, speakBeside } from './same-ids.ts'

/** The other session writes and speaks while ours listens. */
const keepApart = claiming(
  { isolation: 'events-not-shared' },
  speakBeside,
  keepItemsApart,
  numberAlike,
  keepForeignOut,
).sceneStep(async (scene, options: CreateOptions) => {
  const { context } = scene
  const note = `Only we know of the ${context.id('lantern')}.`
  const words = `Nobody else hears of the ${context.id('bridge')}.`
  const mine = await context.create(textChat())
  const other = await context.create(textChat(), options)
  const listener = await scene.connect(mine)
  const speaker = await scene.connect(other)
  const { id: itemId = '' } = await makeItem(speaker, userMessage(note))
  const { confirmed: found } = await retrieve(speaker, itemId)
  const { started } = await respond(speaker, speech(words))
  const unheard = listener.never([...telling(note), ...telling(words)], listener.opened)
  listener.expect({ 'isolation.events-not-shared': given([found, started], unheard) })
  await speakBeside(speaker, listener)
  await keepItemsApart(speaker, listener)
  await numberAlike(speaker, listener)
  // A session that takes this one was not full.
  await makeItem(listener, userMessage('This one has an id of its own.'))
  // Whether several connections of one session may be open at a time is not said.
  await listener.leave()
  await keepForeignOut(scene, { mine, other, itemId, note, found })
})

/** Two sessions of one workspace, open at the same time; and two of two workspaces. */
export const isolation: readonly Scenario[] = [
  channelScenario({
    id: 'control-channel.isolation',
    steps: [keepApart, asking],
    observes: [],
    price: { requests: { primary: 4 }, sessions: { primary: 2 }, waits: 2 },
    drive: (scene) => keepApart(scene, {}),
  }),
  channelScenario({
    id: 'control-channel.isolation-across-workspaces',
    steps: [keepApart, asking],
    observes: [],
    needs: { keys: ['other_workspace'] },
    price: { requests: { primary: 2, other_workspace: 2 }, sessions: { primary: 1, other_workspace: 1 } },
    drive: (scene) => keepApart(scene, { key: 'other_workspace' }),
  }),
]
