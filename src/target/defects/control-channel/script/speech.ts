import { change, composed } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, drop, except, remembering, set } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { CutCause } from '#target/behaviour/responses'
import type { ResponsePlan, ResponseRun } from '#target/responses/run'
import { textOf, objectAt, objectsAt } from '#target/wire'
import { isOfAnotherKind, isPlanned, refuseResponse, scriptOf, vocalOf } from '../../tools/control-channel.ts'
import { isAmong } from '../../tools/items.ts'
import { defectsOf } from '../../tools/table.ts'

/** Scripted speech that ends as failed when it was spoken. */
const failing = (fails: (run: ResponseRun) => boolean): Override =>
  around(
    'responses.finishedStatus',
    (finishedStatus) => (run) => (run.plan.kind.startsWith('speech') && fails(run) ? 'failed' : finishedStatus(run)),
  )

const cutsOthers = (cause: CutCause): Override =>
  set('scheduling.alsoCuts', (session, all, why) =>
    why === cause ? all.filter((one) => one !== session && one.account.workspace === session.account.workspace) : [],
  )

export const scriptSpeechDefects = defectsOf('control-channel.script-speech', {
  'accepted: Speech is refused.': refuseResponse((input) => vocalOf(input)['type'] === 'speech'),
  'text-done-exact: The final text is in capitals.': onEvent(
    'response.output_text.done',
    change('text', (text) => String(text).toUpperCase()),
  ),
  'text-done-exact~brackets: What stands in square brackets is not spoken.': around(
    'pace.split',
    (split) => (text) => split(text.replace(/\[[^\]]*\] ?/gu, '') || text),
  ),
  'text-done-exact~separator: What separates the actions of a visual prompt is not spoken.': around(
    'pace.split',
    (split) => (text) => split(text.replaceAll('[SHOT_SEP]', '') || text),
  ),
  'text-done-exact~after-idle-cancel: A cancel in an idle session cancels the next speech as soon as it starts.':
    remembering(() => {
      const cancelled = memory(() => ({ next: false }))
      const cut = new WeakSet<ResponsePlan>()
      return [
        append('outgoing', (event, session) => {
          if (objectAt(event, 'error')['code'] === 'response_not_active') cancelled(session).next = true
          return [event]
        }),
        set('scheduling.submitted', (plan, session) => {
          if (plan.text === undefined || !cancelled(session).next) return plan
          cancelled(session).next = false
          const silent = { ...plan, text: '' }
          cut.add(silent)
          return silent
        }),
        around(
          'responses.finishedStatus',
          (finishedStatus) => (run) => (cut.has(run.plan) ? 'cancelled' : finishedStatus(run)),
        ),
      ]
    }),
  'text-streamed: Text comes at once, without deltas.': [
    around('responses.order', (order) => order.filter((step) => step !== 'first-delta' && step !== 'remaining-deltas')),
    set('responses.finalText', (sent, run) => run.plan.text ?? sent),
  ],
  'unusual-text-exact: White space is folded.': around(
    'pace.split',
    (split) => (text) => split(text.replaceAll(/\s+/gu, ' ').trim()),
  ),
  'unusual-text-exact~ascii: Letters beyond ASCII are lost.': around(
    'pace.split',
    (split) => (text) => split(text.replaceAll(/[^\s -~]/gu, '?')),
  ),
  'unusual-text-exact~composed: A letter and its mark are spoken as one character.': around(
    'pace.split',
    (split) => (text) => split(String(composed(text))),
  ),
  'unusual-text-exact~joined: Characters that are joined of several fall apart.': around(
    'pace.split',
    (split) => (text) => split(text.replaceAll(/\u200D|\uFE0F/gu, '')),
  ),
  'unusual-text-exact~escapes: What reads like an escape is spoken as what it stands for.': around(
    'pace.split',
    (split) => (text) => split(text.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t')),
  ),
  'text-missing-rejected: Speech needs no text.': drop('validations.responseCreate', 'speech-text-missing'),
  'text-missing-rejected~beside-action: Beside an action speech needs no text.': except(
    'validations.responseCreate',
    'speech-text-missing',
    (input) => scriptOf(input)['visual'] !== undefined,
  ),
  'completes~other-cancel: A cancel ends the responses of all sessions of the workspace.': cutsOthers('cancel'),
  'completes~other-interruption: An interruption ends the responses of all sessions of the workspace.':
    cutsOthers('interrupt'),
  'completes: Speech ends incomplete.': around(
    'responses.finishedStatus',
    (finishedStatus) => (run) => (run.plan.kind === 'speech' ? 'incomplete' : finishedStatus(run)),
  ),
  'completes~asset: A registered text is spoken, and its response ends failed.': failing(
    ({ plan }) => plan.kind === 'speech_asset',
  ),
  'completes~waited: What had waited is spoken, and ends failed.': failing(({ origin }) => origin === 'pending'),
  'completes~out-of-band: What is out of band is spoken, and ends failed.': failing(
    ({ plan }) => plan.conversation === 'none',
  ),
})

export const scriptSpeechAssetDefects = defectsOf('control-channel.script-speech-asset', {
  'added-asset-spoken: Added texts are spoken in capitals.': around('registry.pick', (pick) => (session, kind, id) => {
    const asset = pick(session, kind, id)
    return kind === 'speech_text' && asset !== undefined && !isPlanned(session, kind, id)
      ? change('text', (text) => String(text).toUpperCase())(asset)
      : asset
  }),
  'added-asset-spoken~markup: Angle brackets in an asset of format text are taken for markup.': around(
    'registry.pick',
    (pick) => (session, kind, id) => {
      const asset = pick(session, kind, id)
      const text = textOf(asset?.['text'])
      return kind === 'speech_text' && text !== undefined && asset?.['format'] === 'text'
        ? { ...asset, text: text.replace(/<[^>]*>/gu, '') }
        : asset
    },
  ),
  'added-asset-spoken~trimmed: Blanks and line ends around the text of an asset that was added are not spoken.': around(
    'registry.pick',
    (pick) => (session, kind, id) => {
      const asset = pick(session, kind, id)
      const text = textOf(asset?.['text'])
      const early = objectsAt(session.plan.assets, 'speech_text').some((one) => one['asset_id'] === id)
      return kind !== 'speech_text' || text === undefined || early ? asset : { ...asset, text: text.trim() }
    },
  ),
  'create-time-asset-spoken: Texts of the creation are unknown.': set('registry.initial', (assets, kind) =>
    kind === 'audio' || kind === 'visual_prompts' ? objectsAt(assets, kind) : [],
  ),
  'create-time-asset-spoken~composed: A letter and its mark in a text of the creation are spoken as one character.':
    around('registry.content', (content) => (asset) => String(composed(content(asset)))),
  'right-asset-spoken: The last text is spoken, whatever was named.': around(
    'registry.pick',
    (pick) => (session, kind, id) =>
      kind === 'speech_text' && pick(session, kind, id) !== undefined
        ? [...session.assets[kind].values()].at(-1)
        : pick(session, kind, id),
  ),
  'right-asset-spoken~case: Ids of speech assets that differ in case only are mixed up.': around(
    'registry.pick',
    (pick) => (session, kind, id) => {
      if (kind !== 'speech_text') return pick(session, kind, id)
      const found = [...session.assets.speech_text.keys()].find((key) => key.toLowerCase() === id.toLowerCase())
      return pick(session, kind, found ?? id)
    },
  ),
  'unknown-asset-rejected: Unknown texts are silent.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => !isOfAnotherKind(input.session, 'speech_text', vocalOf(input)['speech_text_asset_id']),
  ),
  'unknown-asset-rejected~case: Texts are looked for without regard to case.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => isAmong(input.session.assets.speech_text.keys(), vocalOf(input)['speech_text_asset_id']),
  ),
  'other-kind-rejected: A visual prompt may be spoken.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => isOfAnotherKind(input.session, 'speech_text', vocalOf(input)['speech_text_asset_id']),
  ),
  'other-kind-rejected~audio: Audio may be spoken.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => input.session.assets.audio.has(String(vocalOf(input)['speech_text_asset_id'])),
  ),
  'other-kind-rejected~image: An image may be spoken.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => input.session.assets.images.has(String(vocalOf(input)['speech_text_asset_id'])),
  ),
  'unknown-asset-rejected~beside-action: Beside an action unknown texts are silent.': except(
    'validations.responseCreate',
    'speech-asset-unknown',
    (input) => scriptOf(input)['visual'] !== undefined,
  ),
  'id-missing-rejected: Without an id the speech is silent.': drop(
    'validations.responseCreate',
    'speech-asset-missing',
  ),
})
