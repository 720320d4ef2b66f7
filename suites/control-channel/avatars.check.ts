import type { Scenario } from '../../src/scenario/scenario.ts'
import { addAvatars, refuseFaults, registerNone } from './avatars-add.ts'
import { textChat, userMessage } from './bodies.ts'
import { makeItem } from './items.ts'
import { rows } from './rows.ts'
import { Talk } from './talk.ts'

/** Avatars that are added to a session in `text_chat`. */
export const avatars: Scenario = {
  id: 'control-channel.avatars',
  proves: rows(
    'error.usable-after-invalid-add',
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
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = new Talk(context, await context.connect(session))
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const twin = await addAvatars(talk, known)
    await refuseFaults(talk, twin)
    await registerNone(talk, twin)
    await talk.leave()
  },
}
