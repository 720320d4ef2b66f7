import { set, around, add, several, remembering } from '#target/overrides/operators'
import { onAutoClose, onCreated, onData } from '#target/overrides/data'
import { type Change, change } from '#target/overrides/changes'
import type { Override } from '#target/behaviour/behaviour'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { SessionField } from '../behaviour/views.ts'
import type { CreateInput } from '../behaviour/validations/create-session.ts'
import type { Variation } from '../deviation.ts'
import { objectAt } from '../wire.ts'
import { variationsOf } from './table.ts'

const given =
  (make: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    value === undefined ? undefined : make(value)

/** Of sessions that are created at once, and of those from a character. */
const onSessions = (make: Change): Override =>
  several(onData('create-avatar-session', make), onData('create-session-from-character', make))

/** 30004: "unsupported model, output …" and what else a model or a provider may lack. */
const lacks = (id: string, param: string, wanted: (input: CreateInput) => boolean): Override => {
  const lacking = validation('4.1', param, wanted)
  return several(
    add('validations.createSession', id, lacking),
    add('validations.character.session', id, lacking),
    add('validations.replacement.session', id, lacking),
    add('validations.start.session', id, lacking),
  )
}

const outputOf = ({ mode, body }: CreateInput) => (mode === 'video_avatar' ? objectAt(body, 'output') : {})
const settingsOf = ({ body }: CreateInput, name: string) => objectAt(objectAt(body, 'conversation'), name)
const pipelineOf = ({ body }: CreateInput, name: string) => objectAt(objectAt(body, 'pipeline_config'), name)

/** A time that was shown, so many milliseconds later. */
const shifted =
  (expires: SessionField, ms: number): SessionField =>
  (session, address) => {
    const shown = expires(session, address)
    return typeof shown === 'string' ? new Date(Date.parse(shown) + ms).toISOString() : shown
  }

/** By how many seconds the clock that sessions expire by goes wrong, and the variations that say otherwise. */
const expiryClocks = [
  ['expiry-clock-behind', -90, /expiry-clock-(?:ahead|hardly)/],
  ['expiry-clock-ahead', 90, /expiry-clock-(?:behind|hardly)/],
  ['expiry-clock-hardly-behind', -4, /expiry-clock-(?:ahead|behind)/],
] as const

/** "Effective" values that are not those that were asked for, and said to be so. */
const effective: readonly Variation[] = [
  ...variationsOf({
    'timeouts-lowered §2.1: A timeout is at most 12 seconds without a connection and 31 without interaction, and the answer says so ("Effective policy").':
      {
        concerns: /avatar-session|character/,
        warns: [
          'avatar-sessions.session.disconnected-timeout-unchanged',
          'avatar-sessions.session.idle-timeout-unchanged',
        ],
        override: onAutoClose((policy) => ({
          disconnectedSeconds: Math.min(policy.disconnectedSeconds, 12),
          idleSeconds: Math.min(policy.idleSeconds, 31),
        })),
      },
    'durations-lowered §4.1: A session lasts half an hour at most, whatever was asked for, and `expires_at` says so ("effective maximum session duration").':
      {
        concerns: /avatar-session|character|duration|timeout/,
        override: around('create.maxDuration', (asked) => (body, limits) => Math.min(1800, asked(body, limits))),
      },
  }),
  ...expiryClocks.map(
    ([id, seconds, other]): Variation => ({
      id,
      section: '2.1',
      text: `Sessions expire by a clock that is ${Math.abs(seconds)} seconds ${seconds < 0 ? 'behind' : 'ahead of'} that of the \`Date\` header, which an edge may write (whose clock counts is not said).`,
      concerns: /avatar-session|character|expir|duration/,
      contradicts: other,
      override: ({ views }) => {
        for (const fields of [views.created, views.replayed, views.got]) {
          const { expires_at: expires } = fields
          if (expires !== undefined) fields['expires_at'] = shifted(expires, seconds * 1_000)
        }
      },
    }),
  ),
  ...variationsOf({
    'frames-30 §8: Avatar video has 30 frames a second ("24 by default (effective value returned)").': {
      warns: ['avatar-sessions.output.fps-default', 'limits.output-fps.default-24'],
      override: set('limits.fps', 30),
    },
    'temperature-warmer §2.1: The model has no temperature below 0.3 nor above 1, and the answer says which one is in force ("Effective conversation defaults").':
      {
        warns: ['avatar-sessions.conversation.temperature-echoed'],
        override: onCreated(
          change(
            'conversation.response_defaults.temperature',
            given((value) => Math.min(1, Math.max(0.3, Number(value)))),
          ),
        ),
      },
    'ears-simple §2.1: Turn detection is manual, nothing is transcribed, a language is known without its region and answers are short: all said in the answer ("Effective conversation defaults").':
      several(
        onSessions(
          change(
            'conversation.turn_detection.type',
            given(() => 'manual'),
          ),
        ),
        onSessions(
          change(
            'conversation.input_audio_transcription.enabled',
            given(() => false),
          ),
        ),
        onSessions(
          change(
            'conversation.input_audio_transcription.language',
            given((tag) => String(tag).split('-')[0]),
          ),
        ),
        onSessions(
          change(
            'conversation.response_defaults.max_output_tokens',
            given((most) => Math.min(128, Number(most))),
          ),
        ),
      ),
    'images-rehosted §2.1: Images and audio assets are fetched and shown where the service keeps them ("Effective avatar definitions").':
      remembering(() => {
        const kept = (url: unknown): string => `https://cdn.example.net/${encodeURIComponent(String(url)).slice(-60)}`
        return [
          onCreated(change('avatars.*.visual.source_images.*.url', kept)),
          onCreated(change('assets.audio.*.url', kept)),
        ]
      }),
    'fragments-dropped §2.3: The fragment of an image URL is not kept: it is not sent to where the image comes from ("Accessible image URL").':
      onCreated(change('avatars.*.visual.source_images.*.url', (url) => String(url).split('#')[0])),
  }),
]

/** Options that the interface names and a model, a provider or a plan lacks. */
const missing = variationsOf({
  'output-720p-missing §7: The model has no 720p (30004: "unsupported model, output or maximum duration").': {
    // A model has one of them.
    contradicts: /^output-480p-missing$/,
    override: lacks('no-720p', 'output.resolution', (input) => outputOf(input)['resolution'] === '720p'),
  },
  'output-480p-missing §7: The model has no 480p (30004: "unsupported model, output or maximum duration").': several(
    lacks('no-480p', 'output.resolution', (input) => outputOf(input)['resolution'] === '480p'),
    ({ lacks: abilities }) => abilities.push('resolution_480p'),
  ),
  'output-square-missing §4.1: There is no square picture ("for example `9:16`, `1:1`, `16:9`").': lacks(
    'no-square',
    'output.aspect_ratio',
    (input) => outputOf(input)['aspect_ratio'] === '1:1',
  ),
  'output-upright-only §4.1: Every picture is upright ("for example `9:16`, `1:1`, `16:9`").': lacks(
    'upright-only',
    'output.aspect_ratio',
    (input) => /^(?:1:1|16:9)$/.test(String(outputOf(input)['aspect_ratio'])),
  ),
  'extensions-missing §2.6: Neither the voice nor the language model takes extensions ("not guaranteed to take effect").':
    lacks(
      'no-extensions',
      'pipeline_config',
      (input) =>
        pipelineOf(input, 'tts_config')['payload'] !== undefined ||
        pipelineOf(input, 'llm_config')['llm_extra_payload'] !== undefined,
    ),
  'ears-missing §7: The model neither detects turns nor knows languages (30004, as for live input of worlds).': lacks(
    'no-ears',
    'conversation',
    (input) =>
      settingsOf(input, 'turn_detection')['type'] === 'server_vad' ||
      settingsOf(input, 'input_audio_transcription')['language'] !== undefined,
  ),
  'recording-missing §4.1: Nothing is recorded, and whoever asks for it is told so ("`on` or `off`").': lacks(
    'no-recording',
    'recording_mode',
    ({ body }) => body['recording_mode'] === 'on',
  ),
})

/** What comes back need not be what was asked for, where the interface calls it effective; and not all that it names is there. */
export const effectiveVariations: readonly Variation[] = [...effective, ...missing]
