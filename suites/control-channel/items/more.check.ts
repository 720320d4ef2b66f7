import { textChat, userMessage } from '../bodies.ts'
import { refusing } from '../refusals.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { ofOneSession } from '../step.ts'
import { refuseFields, takeFields, writeOutput } from './inputs.ts'
import { makeItem } from './items.ts'
import {
  deleteUnknown,
  keepDuplicate,
  keepOutput,
  nameFreely,
  placeItems,
  reuseId,
  seekRefused,
  speakAfterDeletion,
  tellCasesApart,
} from './place.ts'
import { writeStrewn } from './strewn.ts'
import { refuseItems, refuseNameless } from './refuse.ts'
import { writeEach } from './write.ts'

/** Items of all kinds and their places, and what a response may be asked for besides. */
export const itemsMore = ofOneSession({
  id: 'control-channel.items-more',
  steps: [
    placeItems,
    speakAfterDeletion,
    keepDuplicate,
    deleteUnknown,
    reuseId,
    tellCasesApart,
    nameFreely,
    seekRefused,
    writeOutput,
    takeFields,
    refuseFields,
    refuseNameless,
    writeEach,
    keepOutput,
    refuseItems,
    writeStrewn,
    refusing,
    asking,
  ],
  observes: rows({
    item: [
      'function-call-name-string function-call-arguments-json function-call-output-call-id-string',
      'function-call-output-output-string part-audio-base64 part-transcript-string part-detail-in-set',
      'function-call-call-id-string',
    ],
    'item-created': 'previous-item-known',
    'item-retrieve': 'unknown-not-retrieved',
    response: 'max-output-tokens-number-or-inf',
  }),
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    await warmUp(talk)
    const { id: known = '', confirmed: control } = await makeItem(talk, userMessage('Please listen.'))
    await placeItems(talk)
    await speakAfterDeletion(talk)
    await keepDuplicate(talk)
    await deleteUnknown(talk)
    await reuseId(talk)
    await tellCasesApart(talk)
    await nameFreely(talk)
    await seekRefused(talk, known)
    await writeOutput(talk, known)
    await refuseFields(talk, await takeFields(talk, known))
    await refuseNameless(talk, control)
    const kinds = await writeEach(talk)
    await keepOutput(talk)
    await refuseItems(talk, kinds)
    await writeStrewn(talk, kinds)
    await talk.leave()
  },
})
