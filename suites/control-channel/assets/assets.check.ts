import { all } from '#trace/conditions'
import {
  addAvatars,
  findAgain,
  refuseFaults as refuseAvatarFaults,
  registerNone as registerNoAvatar,
} from '../avatars/add.ts'
import { textChat, userMessage } from '../bodies.ts'
import { playBeside, refuseBeside } from '../scripts/beside.ts'
import { makeItem } from '../items/items.ts'
import { refusing } from '../refusals.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { channelScenario, claiming } from '../step.ts'
import { activate } from '../updates/updates.ts'
import { addAssets, addMany, type Controls, createTime, greeting, texts } from './add.ts'
import { speakAsset, speechAsset } from './additions.ts'
import { keepExisting, refuseExisting, refuseFaults, registerNone, registerNoneUnheard } from './refuse.ts'
import { refuseScripts, showNothing, writeAssets } from './speak.ts'
import { addStrewn } from './strewn.ts'

/** What was there before others were added is still there, even where those are many. */
const keepEarlier = claiming({ 'asset-add': 'additive' }).step(async (talk, { speech }: Controls) => {
  for (const given of [[speech], [speech, await addMany(talk)]]) {
    for (const { id, text } of [greeting, { id: 'tour', text: texts.tour }]) {
      await speakAsset(talk, id, text, { spoken: 'asset-add.additive', given, choice: given.length > 1 })
    }
  }
})

/** Assets and avatars that are added in `text_chat`, and speech texts among them spoken. */
export const additions = channelScenario({
  id: 'control-channel.additions',
  claims: rows({ 'script-speech-asset': 'create-time-asset-spoken', secret: 'reconnect-keeps-assets' }),
  steps: [
    addAssets,
    keepEarlier,
    refuseFaults,
    keepExisting,
    refuseExisting,
    registerNone,
    registerNoneUnheard,
    addStrewn,
    refuseScripts,
    writeAssets,
    playBeside,
    refuseBeside,
    showNothing,
    addAvatars,
    refuseAvatarFaults,
    registerNoAvatar,
    findAgain,
    refusing,
    asking,
  ],
  observes: rows({
    render: 'never-in-text-chat',
    'asset-added': 'assets-object empty-kinds-shown lists-every-asset lists-no-others each-once content-agrees',
    'avatar-added': [
      'avatars-array avatar-id-string lists-every-avatar lists-no-others each-once instructions-effective',
    ],
  }),
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 3 },
  async drive(scene, context) {
    const session = await context.create({ ...textChat(), assets: createTime(context) })
    const talk = await scene.connect(session)
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const greeted = await speakAsset(talk, greeting.id, greeting.text, {
      spoken: 'script-speech-asset.create-time-asset-spoken',
    })
    const controls = await addAssets(talk, known)
    const { speech } = controls
    await keepEarlier(talk, controls)
    await refuseFaults(talk, controls)
    await keepExisting(talk, controls)
    await refuseExisting(talk, controls)
    await registerNone(talk, speech)
    await registerNoneUnheard(talk, controls)
    await addStrewn(talk, controls)
    await refuseScripts(talk, greeted.started, controls)
    await writeAssets(talk, known, greeted.started)
    await playBeside(talk, speechAsset(greeting.id), greeted.started)
    await refuseBeside(talk, [[speechAsset(greeting.id), greeted.started]])
    await showNothing(talk, known)
    const avatars = await addAvatars(talk, known)
    const [[, added] = ['', all()]] = avatars
    await refuseAvatarFaults(talk, added)
    await registerNoAvatar(talk, added)
    const { confirmed: active } = await activate(talk, 'curator')
    await talk.channel.close()
    const again = await scene.connect(session)
    await findAgain(again, active, avatars)
    await speakAsset(again, 'tour', texts.tour, { spoken: 'secret.reconnect-keeps-assets', given: [speech] })
    await keepExisting(again, controls)
    await again.leave()
  },
})
