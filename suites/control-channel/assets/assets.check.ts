import type { Scenario } from '#scenario/author/scenario'
import { all } from '#trace/conditions'
import { speakAsset } from './additions.ts'
import { addAssets, addMany, createTime, greeting, texts } from './add.ts'
import { keepExisting, refuseFaults, registerNone } from './refuse.ts'
import { refuseScripts, showNothing, writeAssets } from './speak.ts'
import {
  activate,
  addAvatars,
  findAgain,
  refuseFaults as refuseAvatarFaults,
  registerNone as registerNoAvatar,
} from '../avatars/add.ts'
import { textChat, userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { Talk } from '../talk.ts'

/** Assets and avatars that are added in `text_chat`, and speech texts among them spoken. */
export const additions: Scenario = {
  id: 'control-channel.additions',
  proves: rows(
    'error.event-id-names-cause',
    'item-created.for-generated-output',
    'item-retrieve.generated-item',
    'response-created.request-event-id-names-request',
    'script.written-text-exact',
    'secret.reconnect-keeps-assets',
    'secret.reconnect-keeps-state',
    'error.usable-after-invalid-add',
    'asset-add.image-accepted',
    'asset-add.image-mime-type-accepted',
    'asset-add.audio-accepted',
    'asset-add.audio-mime-type-accepted',
    'asset-add.speech-text-accepted',
    'asset-add.visual-prompt-accepted',
    'asset-add.format-text-accepted',
    'asset-add.format-ssml-accepted',
    'asset-add.several-kinds-accepted',
    'asset-add.several-of-a-kind-accepted',
    'asset-add.missing-assets-rejected',
    'asset-add.no-kinds-rejected',
    'asset-add.empty-arrays-rejected',
    'asset-add.additive',
    'asset-add.existing-content-kept',
    'asset-add.existing-not-confirmed-anew',
    'asset-add.existing-rejected',
    'asset-add.create-time-content-kept',
    'asset-add.duplicate-id-in-event-rejected',
    'asset-add.id-across-kinds-rejected',
    'asset-add.id-of-other-kind-rejected',
    'asset-add.id-missing-rejected',
    'asset-add.id-empty-rejected',
    'asset-add.image-url-missing-rejected',
    'asset-add.image-url-not-https-rejected',
    'asset-add.audio-url-missing-rejected',
    'asset-add.audio-url-not-https-rejected',
    'asset-add.audio-mime-type-unknown-rejected',
    'asset-add.speech-text-missing-rejected',
    'asset-add.visual-prompt-text-missing-rejected',
    'asset-add.visual-prompt-as-prompt-rejected',
    'asset-add.none-registered-on-invalid',
    'asset-add.none-registered-after-invalid',
    'asset-add.none-registered-across-kinds',
    'asset-add.none-registered-beside-existing',
    'asset-add.free-after-rejection',
    'asset-add.rejected-not-confirmed',
    'asset-add.confirmed',
    'asset-add.confirmed-once',
    'asset-add.usable-once-confirmed',
    'asset-added.assets-object',
    'asset-added.images-array',
    'asset-added.audio-array',
    'asset-added.speech-text-array',
    'asset-added.visual-prompts-array',
    'asset-added.empty-kinds-shown',
    'asset-added.lists-every-asset',
    'asset-added.lists-no-others',
    'asset-added.content-agrees',
    'avatar-add.accepted',
    'avatar-add.id-alone-accepted',
    'avatar-add.several-accepted',
    'avatar-add.additive',
    'avatar-add.not-active',
    'avatar-add.selectable',
    'avatar-add.existing-not-confirmed-anew',
    'avatar-add.existing-rejected',
    'avatar-add.none-registered-on-invalid',
    'avatar-add.none-registered-after-invalid',
    'avatar-add.none-registered-beside-existing',
    'avatar-add.free-after-rejection',
    'avatar-add.id-missing-rejected',
    'avatar-add.id-empty-rejected',
    'avatar-add.id-duplicate-in-event-rejected',
    'avatar-add.no-avatars-rejected',
    'avatar-add.missing-avatars-rejected',
    'avatar-add.rejected-not-confirmed',
    'avatar-add.confirmed',
    'avatar-add.confirmed-once',
    'avatar-added.avatars-array',
    'avatar-added.avatar-id-string',
    'avatar-added.lists-every-avatar',
    'avatar-added.lists-no-others',
    'avatar-added.each-once',
    'avatar-added.instructions-effective',
    'script.unknown-vocal-type-rejected',
    'script.vocal-type-missing-rejected',
    'script.auto-speech-asset-written',
    'script.none-speech-asset-not-written',
    'script-speech-asset.added-asset-spoken',
    'script-speech-asset.create-time-asset-spoken',
    'script-speech-asset.right-asset-spoken',
    'script-speech-asset.unknown-asset-rejected',
    'script-speech-asset.other-kind-rejected',
    'script-speech-asset.id-missing-rejected',
    'script-visual.not-rendered-in-text-chat',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 3 },
  async drive(context) {
    const session = await context.create({ ...textChat(), assets: createTime(context) })
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const greeted = await speakAsset(talk, greeting.id, greeting.text, {
      rows: ['script-speech-asset.create-time-asset-spoken'],
    })
    const twins = await addAssets(talk, known)
    const early = [greeting, { id: 'tour', text: texts.tour }]
    for (const given of [[twins.speech], [twins.speech, await addMany(talk)]]) {
      const options = { given, choice: given.length > 1 }
      for (const { id, text } of early) await speakAsset(talk, id, text, { rows: ['asset-add.additive'], options })
    }
    await refuseFaults(talk, twins)
    await keepExisting(talk, twins.speech)
    await registerNone(talk, twins.speech)
    await refuseScripts(talk, greeted.started)
    await writeAssets(talk, known, greeted.started)
    await showNothing(talk, known)
    const avatars = await addAvatars(talk, known)
    const [[, added] = ['', all()]] = avatars
    await refuseAvatarFaults(talk, added)
    await registerNoAvatar(talk, added)
    const active = await activate(talk, 'curator')
    await talk.channel.close()
    const again = new Talk(context, await context.connect(session))
    await findAgain(again, active, avatars)
    await speakAsset(again, 'tour', texts.tour, {
      rows: ['secret.reconnect-keeps-assets'],
      options: { given: [twins.speech] },
    })
    await keepExisting(again, twins.speech)
    await again.leave()
  },
}
