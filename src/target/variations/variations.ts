import type { Variation } from '../deviation.ts'
import { boundVariations } from './bounds.ts'
import { channelVariations } from './channel/channel.ts'
import { characterVariations } from './characters.ts'
import { effectiveVariations } from './effective.ts'
import { errorVariations } from './errors.ts'
import { failingVariations } from './failing.ts'
import { fileVariations } from './files.ts'
import { connectionVariations } from './channel/connections.ts'
import { codeVariations } from './codes.ts'
import { dialogueVariations } from './channel/dialogue.ts'
import { edgeVariations } from './edge.ts'
import { httpVariations } from './http.ts'
import { idVariations } from './ids.ts'
import { lagVariations } from './lag.ts'
import { lostSpeechVariations } from './channel/lost.ts'
import { responseOutputVariations } from './channel/output.ts'
import { latenessVariations } from './lateness.ts'
import { payloadVariations } from './payloads.ts'
import { answerVariations } from './rest/answers.ts'
import { besideVariations } from './rest/beside.ts'
import { framingVariations } from './rest/framing.ts'
import { createVariations } from './rest/creates.ts'
import { keyVariations } from './rest/keys.ts'
import { sessionReadVariations } from './rest/sessions.ts'
import { lifeVariations } from './rest/lives.ts'
import { formVariations } from './rest/forms.ts'
import { lookVariations } from './rest/looks.ts'
import { momentVariations } from './rest/moments.ts'
import { crowdVariations } from './rest/crowds.ts'
import { repeatVariations } from './rest/repeats.ts'
import { versionVariations } from './rest/versions.ts'
import { writingVariations } from './rest/writing.ts'
import { tellingVariations } from './channel/telling.ts'
import { orderVariations } from './channel/order.ts'
import { worldMeterVariations } from './world/meters.ts'
import { worldTellingVariations } from './world/telling.ts'
import { channelTravelVariations } from './channel/travel.ts'
import { mannerVariations } from './channel/manners.ts'
import { keepingVariations } from './channel/keeping.ts'
import { streamVariations } from './channel/streams.ts'
import { voiceStoreVariations } from './voice-stores.ts'
import { travelVariations } from './rest/travel.ts'
import { responseVariations } from './channel/responses.ts'
import { sequenceVariations } from './sequences.ts'
import { sessionVariations } from './sessions.ts'
import { shownVariations } from './shown.ts'
import { together } from './together.ts'
import { turnVariations } from './channel/turns.ts'
import { ownFailureVariations } from './channel/own-failures.ts'
import { updateVariations } from './channel/updates.ts'
import { voiceVariations } from './voices.ts'
import { worldVariations } from './world.ts'

const single: readonly Variation[] = [
  ...httpVariations,
  ...travelVariations,
  ...keyVariations,
  ...edgeVariations,
  ...payloadVariations,
  ...idVariations,
  ...sessionVariations,
  ...createVariations,
  ...sessionReadVariations,
  ...answerVariations,
  ...besideVariations,
  ...lagVariations,
  ...latenessVariations,
  ...codeVariations,
  ...effectiveVariations,
  ...channelVariations,
  ...errorVariations,
  ...ownFailureVariations,
  ...updateVariations,
  ...responseOutputVariations,
  ...shownVariations,
  ...responseVariations,
  ...sequenceVariations,
  ...dialogueVariations,
  ...characterVariations,
  ...fileVariations,
  ...voiceVariations,
  ...worldVariations,
  ...framingVariations,
  ...connectionVariations,
  ...failingVariations,
  ...lostSpeechVariations,
  ...boundVariations,
  ...turnVariations,
  ...writingVariations,
  ...formVariations,
  ...lookVariations,
  ...momentVariations,
  ...tellingVariations,
  ...worldTellingVariations,
  ...lifeVariations,
  ...channelTravelVariations,
  ...streamVariations,
  ...keepingVariations,
  ...mannerVariations,
  ...voiceStoreVariations,
  ...crowdVariations,
  ...repeatVariations,
  ...versionVariations,
  ...orderVariations,
  ...worldMeterVariations,
]

/** Ids of variations, with blanks between them. */
const idsIn = (text: string): readonly string[] => text.trim().split(/\s+/)

const NOT_SHOWN = idsIn(`
  failures-with-422 created-with-201 unknown-paths-plain messages-odd failure-no-data get-nested get-without-status
  list-other-name close-empty ids-odd cap-2 closing-holds-slot duration-lower platform-timeout-off strict-bodies
  close-reasons-odd refusal-by-close confirmations-to-sender errors-terse cancel-idle-ignored cancel-clears-pending
  world-gone-when-closed world-bodies-by-text world-strict-bodies world-media-opaque world-ids-odd character-ids-odd
  characters-with-201 characters-refused-late characters-other-codes character-page-size-strict character-tokens-odd
  starts-strict
`)

const MINIMAL = idsIn(`
  optional-fields-missing get-without-status list-ids close-empty failure-no-data success-message-empty one-delta
  close-silent item-status-unshown content-type-bare world-event-ids-absent world-live-input-terse
  characters-named-fields-only characters-secrets-left-out
`)

const LAVISH = idsIn(`
  extra-fields unknown-events extra-headers opening user-speech effective-filled get-like-create close-like-create
  media-always-told details-always delta-per-character cut-text-done integers-as-strings world-create-shows-all
  world-details-later world-capabilities-more world-replay-renews characters-filled characters-lavish
  characters-rehosted starts-filled
`)

/** Every legal alternative of the reference target. */
export const VARIATIONS: readonly Variation[] = [
  ...single,
  together(single, {
    id: 'not-shown',
    section: 'Conventions',
    text: 'Everything that the spec calls not shown is answered differently at once.',
    ids: NOT_SHOWN,
  }),
  together(single, {
    id: 'minimal',
    section: 'Conventions',
    text: 'As little as the spec allows: no optional fields, no status, no extras.',
    ids: MINIMAL,
  }),
  together(single, {
    id: 'ended-soon-and-forgotten',
    section: '3.1',
    text: 'Some sessions end by themselves soon; what has ended is not found a while later, its key is free, and Get is behind.',
    ids: ['sessions-ended-soon', 'closed-sessions-forgotten', 'session-keys-end-with-session', 'sessions-read-late'],
  }),
  together(single, {
    id: 'lavish',
    section: '9',
    text: 'As much as the spec allows: unknown fields and events, openings, user speech, filled values.',
    ids: LAVISH,
  }),
]
