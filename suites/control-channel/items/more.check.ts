import type { Scenario } from '#scenario/author/scenario'
import { textChat, userMessage } from '../bodies.ts'
import { refuseFields, takeFields, writeOutput } from './inputs.ts'
import { makeItem } from './items.ts'
import { deleteUnknown, keepDuplicate, keepOutput, placeItems, reuseId, speakAfterDeletion } from './place.ts'
import { refuseItems, refuseNameless, writeEach } from './write.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { Talk } from '../talk.ts'

/** Items of all kinds and their places, and what a response may be asked for besides. */
export const itemsMore: Scenario = {
  id: 'control-channel.items-more',
  proves: rows(
    'error.event-id-names-cause',
    'response-create.conversation-auto-accepted',
    'response-create.created-once',
    'response-create.created-only-when-asked',
    'response-create.yields-created',
    'response-created.request-event-id-names-request',
    'response-done.always',
    'response-done.completed-text-whole',
    'script-speech.accepted',
    'script-speech.text-done-exact',
    'script-speech.text-streamed',
    'script.no-generated-text',
    'script.no-tool-calls',
    'script.one-item-for-text',
    'item.part-image-url-string',
    'item.function-call-name-string',
    'item.function-call-arguments-json',
    'item.function-call-output-call-id-string',
    'item.function-call-output-output-string',
    'item.part-audio-base64',
    'item.part-transcript-string',
    'item.part-detail-in-set',
    'item.function-call-call-id-string',
    'item-created.previous-item-known',
    'item-create.system-text-accepted',
    'item-create.assistant-text-accepted',
    'item-create.several-parts-accepted',
    'item-create.input-audio-accepted',
    'item-create.input-image-accepted',
    'item-create.image-detail-accepted',
    'item-create.image-detail-unknown-rejected',
    'item-create.function-call-accepted',
    'item-create.function-call-without-call-id-accepted',
    'item-create.function-call-output-accepted',
    'item-create.unknown-type-rejected',
    'item-create.type-missing-rejected',
    'item-create.unknown-role-rejected',
    'item-create.unknown-part-type-rejected',
    'item-create.unknown-status-rejected',
    'item-create.function-call-name-missing-rejected',
    'item-create.function-call-arguments-missing-rejected',
    'item-create.function-call-arguments-object-rejected',
    'item-create.function-call-output-call-id-missing-rejected',
    'item-create.function-call-output-output-missing-rejected',
    'item-create.rejected-not-confirmed',
    'item-create.root-inserts-at-start',
    'item-create.inserted-after-named',
    'item-create.insertion-keeps-last',
    'item-create.duplicate-id-keeps-item',
    'item-retrieve.item-id-missing-rejected',
    'item-retrieve.changes-nothing',
    'item-retrieve.content',
    'item-delete.gone',
    'item-delete.others-kept',
    'item-delete.unknown-changes-nothing',
    'item-delete.item-id-missing-rejected',
    'item-delete.last-item-moves',
    'response-create.conversation-unknown-rejected',
    'response-create.auto-output-written',
    'response-create.default-output-written',
    'scheduling.idle-after-done',
    'response-create.none-output-not-written',
    'response-create.scheduling-policy-unknown-rejected',
    'response-create.input-empty-accepted',
    'response-create.input-item-reference-accepted',
    'response-create.input-item-accepted',
    'response-create.input-mixed-accepted',
    'response-create.input-unknown-reference-rejected',
    'response-create.input-deleted-reference-rejected',
    'response-create.input-reference-id-missing-rejected',
    'response-create.instructions-accepted',
    'response-create.max-output-tokens-accepted',
    'response-create.max-output-tokens-inf-accepted',
    'response-create.max-output-tokens-other-string-rejected',
    'response-create.max-output-tokens-shown',
    'response-create.max-output-tokens-this-response-only',
    'response-create.tools-accepted',
    'response-create.tools-full-accepted',
    'response-create.tools-empty-accepted',
    'response-create.tools-mcp-rejected',
    'response-create.tools-other-type-rejected',
    'response-create.tools-name-missing-rejected',
    'response-create.tools-type-missing-rejected',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const { id: known = '', confirmed: twin } = await makeItem(talk, userMessage('Please listen.'))
    await placeItems(talk)
    await speakAfterDeletion(talk)
    await keepDuplicate(talk)
    await deleteUnknown(talk)
    await reuseId(talk)
    await writeOutput(talk, known)
    const fields = await takeFields(talk, known)
    await refuseFields(talk, fields)
    await refuseNameless(talk, twin)
    const kinds = await writeEach(talk)
    await keepOutput(talk)
    await refuseItems(talk, kinds)
    await talk.leave()
  },
}
