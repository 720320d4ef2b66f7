import { textChat } from '../bodies.ts'
import { keepAvatarsApart, keepTextsApart } from '../connection/same-ids.ts'
import { given } from '../expectation.ts'
import { refuseResponse, refusing } from '../refusals.ts'
import { asking, whole } from '../responses/responses.ts'
import { warmUp } from '../speech/speeches.ts'
import { channelScenario, claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { createTime, greeting } from './add.ts'
import { add, speakAsset, speechAsset, speechTexts } from './additions.ts'

const refuseForeign = claiming({ isolation: 'assets-not-shared' }).step(async (theirs, mine: Talk) => {
  const note = { id: theirs.context.id('note'), text: 'Only one of us knows this text.' }
  await add(mine, 'asset.add', speechTexts({ [note.id]: note.text }))
  for (const { id, text } of [note, greeting]) {
    const { started } = await speakAsset(mine, id, text)
    await refuseResponse(theirs, speechAsset(id), {
      rejected: 'isolation.assets-not-shared',
      given: [started],
      late: true,
      expect: ({ at }) => ({ 'isolation.assets-not-shared': given(started, theirs.never(whole(text), at)) }),
    })
  }
})

/**
 * The first of each kind in a session without assets. A session that holds some of a kind may be full for it; one that holds
 * none, and takes other assets later, refuses the kind.
 */
const addFirst = claiming({ 'asset-add': 'visual-prompt-accepted image-accepted audio-accepted' }).step(
  async (talk) => {
    const { context } = talk
    const { image_url, audio_url } = context.profile.media ?? {}
    const firsts = [
      ['asset-add.visual-prompt-accepted', 'visual_prompts', { text: 'Bows deeply.' }],
      ['asset-add.image-accepted', 'images', image_url === undefined ? undefined : { url: image_url }],
      ['asset-add.audio-accepted', 'audio', audio_url === undefined ? undefined : { url: audio_url }],
    ] as const
    for (const [accepted, kind, asset] of firsts) {
      if (asset === undefined) continue
      const assets = { [kind]: [{ asset_id: context.id('first'), ...asset }] }
      await add(talk, 'asset.add', { assets }, { accepted, firstOfKind: true })
    }
  },
)

/** Two sessions at the same time: what one of them registers, the other does not know. */
export const assetIsolation = channelScenario({
  id: 'control-channel.asset-isolation',
  steps: [addFirst, refuseForeign, keepTextsApart, keepAvatarsApart, refusing, asking],
  observes: [],
  price: { requests: { primary: 4 }, sessions: { primary: 2 } },
  async drive(scene, context) {
    const owner = await context.create({ ...textChat(), assets: createTime(context) })
    const other = await context.create(textChat())
    const mine = await scene.connect(owner)
    const theirs = await scene.connect(other)
    await warmUp(mine)
    await warmUp(theirs)
    await addFirst(theirs)
    await refuseForeign(theirs, mine)
    await keepTextsApart(mine, theirs)
    await keepAvatarsApart(mine, theirs)
    await mine.leave()
    await theirs.leave()
  },
})
