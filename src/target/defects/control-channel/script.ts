import type { Override } from '#target/behaviour/behaviour'
import { notBase64 } from '#target/behaviour/validations/faults'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import { around, drop, except, set, several } from '#target/overrides/operators'
import type { ResponsePlan } from '#target/responses/run'
import { type JsonObject, objectsAt } from '#target/wire'
import { isStarted } from '../tools/characters.ts'
import { isOfAnotherKind, isPlanned, refuseResponse, scriptOf, vocalOf } from '../tools/control-channel.ts'
import { isAmong } from '../tools/items.ts'
import { addItem, isScripted } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

const isAudio = (input: ResponseInput): boolean => vocalOf(input)['type'] === 'audio'

const callItem = (id: string): JsonObject => ({
  id: `item_call_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name: 'look_up',
  arguments: '{}',
})

const message = (id: string, text: string): JsonObject => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'text', text }],
})

const writing = (fits: (plan: ResponsePlan) => boolean, written: boolean): Override =>
  several(
    around('conversation.writes', (writes) => (plan) => (fits(plan) ? written : writes(plan))),
    set('conversation.announces', (plan) => plan.conversation !== 'none'),
  )

export const scriptAudioDefects = defectsOf('control-channel.script-audio', {
  'url-accepted: Audio must come as bytes.': refuseResponse(
    (input) => isAudio(input) && vocalOf(input)['url'] !== undefined,
  ),
  'bytes-accepted: Audio must come by URL.': refuseResponse(
    (input) => isAudio(input) && vocalOf(input)['audio'] !== undefined,
  ),
  'mpeg-bytes-accepted: Bytes must be those of WAV.': refuseResponse(
    (input) => isAudio(input) && vocalOf(input)['audio'] !== undefined && vocalOf(input)['mime_type'] === 'audio/mpeg',
  ),
  'mime-type-missing-rejected: Audio needs no type.': drop('validations.responseCreate', 'audio-type-missing'),
  'mime-type-missing-rejected~url: Audio by URL needs no type.': except(
    'validations.responseCreate',
    'audio-type-missing',
    (input) => vocalOf(input)['url'] !== undefined,
  ),
  'mime-type-unknown-rejected~ogg: Ogg is played, too.': except(
    'validations.responseCreate',
    'audio-type-unknown',
    (input) => vocalOf(input)['mime_type'] === 'audio/ogg',
  ),
  'mime-type-unknown-rejected: Audio may be of any type.': drop('validations.responseCreate', 'audio-type-unknown'),
  'url-and-bytes-rejected: Bytes win over a URL.': drop('validations.responseCreate', 'audio-both'),
  'no-source-rejected~beside-action: Beside an action audio needs no source.': except(
    'validations.responseCreate',
    'audio-neither',
    (input) => scriptOf(input)['visual'] !== undefined,
  ),
  'no-source-rejected: Audio without a source is silent.': drop('validations.responseCreate', 'audio-neither'),
  'bytes-not-matching-not-completed: Bytes of another type are played.': drop(
    'validations.responseCreate',
    'audio-bytes-mismatch',
  ),
  'bytes-not-matching-not-completed~container: A video in the container of a WAV is played as audio.': except(
    'validations.responseCreate',
    'audio-bytes-mismatch',
    (input) =>
      Buffer.from(String(vocalOf(input)['audio']), 'base64')
        .subarray(0, 4)
        .toString('latin1') === 'RIFF',
  ),
  'url-not-https-rejected: Audio may come from anywhere.': drop('validations.responseCreate', 'audio-url-not-https'),
  'data-url-not-completed: Data URLs are played.': drop('validations.responseCreate', 'audio-data-url'),
  'not-base64-not-completed: Bytes that are no base64 are played.': except(
    'validations.responseCreate',
    'audio-not-base64',
    (input) => notBase64(vocalOf(input)['audio']),
  ),
})

export const scriptAudioAssetDefects = defectsOf('control-channel.script-audio-asset', {
  'added-asset-accepted: Added audio is unknown.': refuseResponse(
    (input) =>
      vocalOf(input)['type'] === 'audio_asset' && !isPlanned(input.session, 'audio', vocalOf(input)['audio_asset_id']),
  ),
  'create-time-asset-accepted: Audio of the creation is unknown.': refuseResponse(
    (input) =>
      vocalOf(input)['type'] === 'audio_asset' && isPlanned(input.session, 'audio', vocalOf(input)['audio_asset_id']),
  ),
  'completes: Registered audio never plays, and its response fails.': several(
    around('responses.renders', (renders) => (plan) => renders(plan) && plan.kind !== 'audio_asset'),
    around(
      'responses.finishedStatus',
      (finishedStatus) => (run) => (run.plan.kind === 'audio_asset' ? 'failed' : finishedStatus(run)),
    ),
  ),
  'unknown-asset-rejected: Unknown audio is silent.': except(
    'validations.responseCreate',
    'audio-asset-unknown',
    (input) => !isOfAnotherKind(input.session, 'audio', vocalOf(input)['audio_asset_id']),
  ),
  'unknown-asset-rejected~case: Audio is looked for without regard to case.': except(
    'validations.responseCreate',
    'audio-asset-unknown',
    (input) => isAmong(input.session.assets.audio.keys(), vocalOf(input)['audio_asset_id']),
  ),
  'other-kind-rejected: Any asset may be played.': except(
    'validations.responseCreate',
    'audio-asset-unknown',
    (input) => isOfAnotherKind(input.session, 'audio', vocalOf(input)['audio_asset_id']),
  ),
  'other-kind-rejected~visual-prompt: A visual prompt may be played.': except(
    'validations.responseCreate',
    'audio-asset-unknown',
    (input) => input.session.assets.visual_prompts.has(String(vocalOf(input)['audio_asset_id'])),
  ),
  'other-kind-rejected~image: An image may be played.': except(
    'validations.responseCreate',
    'audio-asset-unknown',
    (input) => input.session.assets.images.has(String(vocalOf(input)['audio_asset_id'])),
  ),
  'id-missing-rejected: Without an id the audio is silent.': drop('validations.responseCreate', 'audio-asset-missing'),
})

/** What is invalid with a script. */
const BESIDE = [
  ['input', 'script-with-input'],
  ['instructions', 'script-with-instructions'],
  ['tools', 'script-with-tools'],
  ['max-output-tokens', 'script-with-tokens'],
] as const

/** Scripts other than inline speech, each with what is in it. */
const SCRIPTS: readonly (readonly [word: string, what: string, fits: (input: ResponseInput) => boolean])[] = [
  ['speech-asset', 'a registered text', (input) => vocalOf(input)['type'] === 'speech_asset'],
  ['audio', 'audio', (input) => vocalOf(input)['type'] === 'audio'],
  ['audio-asset', 'registered audio', (input) => vocalOf(input)['type'] === 'audio_asset'],
  ['action', 'an action alone', (input) => scriptOf(input)['vocal'] === undefined],
]

const overlooked = (
  field: string,
  validation: (typeof BESIDE)[number][1],
  [word, what, fits]: (typeof SCRIPTS)[number],
): [`${string}: ${string}`, Override] => [
  `${field}-beside-rejected~${word}: ${field} beside ${what} passes.`,
  except('validations.responseCreate', validation, fits),
]

export const scriptDefects = defectsOf('control-channel.script', {
  'input-beside-rejected: Input beside a script is ignored.': drop('validations.responseCreate', 'script-with-input'),
  'input-beside-rejected~empty: Empty input beside a script is ignored.': except(
    'validations.responseCreate',
    'script-with-input',
    ({ response }) => objectsAt(response, 'input').length === 0,
  ),
  'instructions-beside-rejected: Instructions beside a script are ignored.': drop(
    'validations.responseCreate',
    'script-with-instructions',
  ),
  'tools-beside-rejected: Tools beside a script are ignored.': drop('validations.responseCreate', 'script-with-tools'),
  'max-output-tokens-beside-rejected: A maximum beside a script is ignored.': drop(
    'validations.responseCreate',
    'script-with-tokens',
  ),
  'max-output-tokens-beside-rejected~inf: max_output_tokens inf beside a script passes.': except(
    'validations.responseCreate',
    'script-with-tokens',
    (input) => input.response['max_output_tokens'] === 'inf',
  ),
  'tools-beside-rejected~empty: An empty list of tools beside a script is ignored.': except(
    'validations.responseCreate',
    'script-with-tools',
    ({ response }) => objectsAt(response, 'tools').length === 0,
  ),
  ...Object.fromEntries(
    BESIDE.flatMap(([field, validation]) => SCRIPTS.map((kind) => overlooked(field, validation, kind))),
  ),
  'empty-rejected: An empty script is played.': drop('validations.responseCreate', 'script-empty'),
  'unknown-vocal-type-rejected~beside-action: Beside an action any vocal type is accepted.': except(
    'validations.responseCreate',
    'vocal-type-unknown',
    (input) => scriptOf(input)['visual'] !== undefined,
  ),
  'unknown-vocal-type-rejected: Any vocal type is accepted.': except(
    'validations.responseCreate',
    'vocal-type-unknown',
    (input) => vocalOf(input)['type'] !== undefined,
  ),
  'vocal-type-missing-rejected: A vocal needs no type.': except(
    'validations.responseCreate',
    'vocal-type-unknown',
    (input) => vocalOf(input)['type'] === undefined,
  ),
  'no-tool-calls: A script ends with a function call.': addItem({
    when: isScripted,
    item: ({ id }) => callItem(id),
    index: 1,
  }),
  'no-generated-text: A script ends with a remark of the model.': addItem({
    when: isScripted,
    item: ({ id }) => message(`item_remark_${id}`, 'Anything else?'),
    index: 1,
    before: ({ id }, item) => {
      const place = { response_id: id, item_id: item['id'], output_index: 1 }
      return [
        { type: 'response.output_text.delta', event_id: `event_remark_${id}`, ...place, delta: 'Anything else?' },
        {
          type: 'response.output_text.done',
          event_id: `event_remark_done_${id}`,
          ...place,
          text: 'Anything else?',
        },
      ]
    },
  }),
  'one-item-for-text: A script with a text puts out a second, empty message.': addItem({
    when: (run) => isScripted(run) && run.plan.text !== undefined,
    item: ({ id }) => message(`item_more_${id}`, ''),
    index: 1,
  }),
  'auto-speech-written: Speech for `auto` is not written.': writing(
    ({ kind, conversation }) => kind === 'speech' && conversation === 'auto',
    false,
  ),
  'default-speech-written~started: What a session from a character says is not written.': around(
    'scheduling.submitted',
    (submitted) => (plan, session) => submitted(isStarted(session) ? { ...plan, conversation: 'none' } : plan, session),
  ),
  'none-speech-not-written~started: What a session from a character says out of band is written.': around(
    'scheduling.submitted',
    (submitted) => (plan, session) => submitted(isStarted(session) ? { ...plan, conversation: 'auto' } : plan, session),
  ),
  'default-speech-written~waited: What was said after a wait is not written.': (behaviour) => {
    const waited = new WeakSet<ResponsePlan>()
    around('scheduling.pendingPlan', (pendingPlan) => (submitted, now, session) => {
      const plan = pendingPlan(submitted, now, session)
      waited.add(plan)
      return plan
    })(behaviour)
    writing((plan) => waited.has(plan), false)(behaviour)
  },
  'default-speech-written: Speech without conversation is not written.': writing(
    ({ kind, conversation }) => kind === 'speech' && conversation === undefined,
    false,
  ),
  'default-speech-written~beside-action: Speech beside an action is not written.': writing(
    ({ kind, acts }) => kind === 'speech' && acts,
    false,
  ),
  'none-speech-not-written: Speech for `none` is written.': writing(
    ({ kind, conversation }) => kind === 'speech' && conversation === 'none',
    true,
  ),
  'none-speech-not-written~beside-action: Speech beside an action is written, though out of band.': writing(
    ({ conversation, acts }) => conversation === 'none' && acts,
    true,
  ),
  'none-speech-not-written~video: What is said out of band in video is written to the conversation.': writing(
    ({ state, conversation }) => state.mode === 'video_avatar' && conversation === 'none',
    true,
  ),
  'none-speech-not-written~pending: An out-of-band response that was pending is written to the conversation.': around(
    'scheduling.pendingPlan',
    (pendingPlan) => (submitted, now, session) => ({
      ...pendingPlan(submitted, now, session),
      conversation: undefined,
    }),
  ),
  'auto-speech-asset-written: Speech texts are not written.': writing(
    ({ kind, conversation }) => kind === 'speech_asset' && conversation !== 'none',
    false,
  ),
  'auto-speech-asset-written~beside-action: Speech texts beside an action are not written.': writing(
    ({ kind, acts }) => kind === 'speech_asset' && acts,
    false,
  ),
  'none-speech-asset-not-written: Speech texts for `none` are written.': writing(
    ({ kind, conversation }) => kind === 'speech_asset' && conversation === 'none',
    true,
  ),
  'none-announces-no-item: Speech for `none` is announced, though not written.': set(
    'conversation.announces',
    () => true,
  ),
})
