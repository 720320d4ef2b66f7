import type { Scenario } from '#scenario/author/scenario'
import { add, speakAsset, speechAsset, speechTexts } from './additions.ts'
import { createTime, greeting } from './add.ts'
import { textChat } from '../bodies.ts'
import { keepAvatarsApart, keepTextsApart } from '../connection/same-ids.ts'
import { failsLate, refuse } from '../refusals.ts'
import { quiet, whole } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { Talk } from '../talk.ts'

/** Two sessions at the same time: what one of them registers, the other does not know. */
export const assetIsolation: Scenario = {
  id: 'control-channel.asset-isolation',
  proves: rows(
    'error.event-id-names-cause',
    'response-created.request-event-id-names-request',
    'script-speech-asset.added-asset-spoken',
    'isolation.assets-not-shared',
    'session-update.unknown-avatar-rejected',
  ),
  price: { requests: { primary: 4 }, sessions: { primary: 2 } },
  async drive(context) {
    const owner = await context.create({ ...textChat(), assets: createTime(context) })
    const other = await context.create(textChat())
    const mine = new Talk(context, await context.connect(owner))
    const theirs = new Talk(context, await context.connect(other))
    await warmUp(mine)
    await warmUp(theirs)
    const note = { id: context.id('note'), text: 'Only one of us knows this text.' }
    await add(mine, 'asset.add', speechTexts({ [note.id]: note.text }))
    for (const { id, text } of [note, greeting]) {
      const spoken = await speakAsset(mine, id, text, {})
      await refuse(theirs, {
        rows: ['isolation.assets-not-shared'],
        message: { type: 'response.create', response: speechAsset(id) },
        confirmation: 'response.created',
        given: [spoken.started],
        spared: failsLate(theirs),
        write: ({ at }) => {
          const heard = theirs.never(whole(text), at)
          theirs.claim('isolation.assets-not-shared', heard, { given: [spoken.started] })
        },
      })
      await quiet(theirs)
    }
    await keepTextsApart(mine, theirs)
    await keepAvatarsApart(mine, theirs)
    await mine.leave()
    await theirs.leave()
  },
}
