import type { Behaviour } from '#target/behaviour/behaviour'
import { waive } from '#target/behaviour/rules/waive'
import type { ResponsePlan } from '#target/responses/run'
import { type Wire, wiresAt } from '#target/wire'
import { change } from '../paths.ts'
import { addItem, isScripted } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { onEvent } from '../tools.ts'
import { isOfAnotherKind, isPlanned, narrow, refuseResponse, vocalOf } from './script-input.ts'

const callItem = (id: string): Wire => ({
  id: `item_call_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name: 'look_up',
  arguments: '{}',
})
const message = (id: string, text: string): Wire => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'text', text }],
})

const ruleDefects = defectsOf('control-channel', {
  'script.input-beside-rejected': [
    'Input beside a script is ignored.',
    ({ rules }) => waive(rules.responseCreate, 'script-with-input'),
  ],
  'script.instructions-beside-rejected': [
    'Instructions beside a script are ignored.',
    ({ rules }) => waive(rules.responseCreate, 'script-with-instructions'),
  ],
  'script.tools-beside-rejected': [
    'Tools beside a script are ignored.',
    ({ rules }) => waive(rules.responseCreate, 'script-with-tools'),
  ],
  'script.max-output-tokens-beside-rejected': [
    'A maximum beside a script is ignored.',
    ({ rules }) => waive(rules.responseCreate, 'script-with-tokens'),
  ],
  'script.empty-rejected': ['An empty script is played.', ({ rules }) => waive(rules.responseCreate, 'script-empty')],
  'script.unknown-vocal-type-rejected': [
    'Any vocal type is accepted.',
    ({ rules }) => narrow(rules.responseCreate['vocal-type-unknown'], (input) => vocalOf(input)['type'] === undefined),
  ],
  'script.vocal-type-missing-rejected': [
    'A vocal needs no type.',
    ({ rules }) => narrow(rules.responseCreate['vocal-type-unknown'], (input) => vocalOf(input)['type'] !== undefined),
  ],
})

const outputDefects = defectsOf('control-channel', {
  'script.no-tool-calls': [
    'A script ends with a function call.',
    (b) => addItem(b, { when: isScripted, item: ({ id }) => callItem(id), index: 1 }),
  ],
  'script.no-generated-text': [
    'A script ends with a remark of the model.',
    (b) =>
      addItem(b, {
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
  ],
  'script.one-item-for-text': [
    'A script with a text puts out a second, empty message.',
    (b) =>
      addItem(b, {
        when: (run) => isScripted(run) && run.plan.text !== undefined,
        item: ({ id }) => message(`item_more_${id}`, ''),
        index: 1,
      }),
  ],
})

const writing =
  (fits: (plan: ResponsePlan) => boolean, written: boolean) =>
  ({ conversation }: Behaviour): void => {
    const { writes } = conversation
    conversation.writes = (plan) => (fits(plan) ? written : writes(plan))
    conversation.announces = (plan) => plan.conversation !== 'none'
  }

const writingDefects = defectsOf('control-channel', {
  'script.auto-speech-written': [
    'Speech for `auto` is not written.',
    writing(({ kind, conversation }) => kind === 'speech' && conversation === 'auto', false),
  ],
  'script.default-speech-written': [
    'Speech without conversation is not written.',
    writing(({ kind, conversation }) => kind === 'speech' && conversation === undefined, false),
  ],
  'script.none-speech-not-written': [
    'Speech for `none` is written.',
    writing(({ kind, conversation }) => kind === 'speech' && conversation === 'none', true),
  ],
  'script.auto-speech-asset-written': [
    'Speech texts are not written.',
    writing(({ kind, conversation }) => kind === 'speech_asset' && conversation !== 'none', false),
  ],
  'script.none-speech-asset-not-written': [
    'Speech texts for `none` are written.',
    writing(({ kind, conversation }) => kind === 'speech_asset' && conversation === 'none', true),
  ],
  'script.none-announces-no-item': [
    'Speech for `none` is announced, though not written.',
    ({ conversation }) => void (conversation.announces = () => true),
  ],
  'script.written-text-exact': [
    'Speech is written without its last character.',
    ({ conversation }) => {
      const { kept } = conversation
      conversation.kept = (item, plan) =>
        plan.kind === 'speech'
          ? change('content.*.text', (text) => String(text).slice(0, -1))(kept(item, plan))
          : kept(item, plan)
    },
  ],
})

const speechDefects = defectsOf('control-channel', {
  'script-speech.accepted': [
    'Speech is refused.',
    (b) => refuseResponse(b, (input) => vocalOf(input)['type'] === 'speech'),
  ],
  'script-speech.text-done-exact': [
    'The final text is in capitals.',
    (b) =>
      onEvent(
        b,
        'response.output_text.done',
        change('text', (text) => String(text).toUpperCase()),
      ),
  ],
  'script-speech.text-streamed': [
    'Text comes at once, without deltas.',
    ({ responses }) => {
      responses.order = responses.order.filter((step) => step !== 'first-delta' && step !== 'remaining-deltas')
      responses.finalText = (sent, run) => run.plan.text ?? sent
    },
  ],
  'script-speech.unusual-text-exact': [
    'White space is folded.',
    ({ pace }) => {
      const { split } = pace
      pace.split = (text) => split(text.replaceAll(/\s+/gu, ' ').trim())
    },
  ],
  'script-speech.unusual-text-exact~ascii': [
    'Letters beyond ASCII are lost.',
    ({ pace }) => {
      const { split } = pace
      pace.split = (text) => split(text.replaceAll(/[^\s -~]/gu, '?'))
    },
  ],
  'script-speech.text-missing-rejected': [
    'Speech needs no text.',
    ({ rules }) => waive(rules.responseCreate, 'speech-text-missing'),
  ],
  'script-speech.completes': [
    'Speech ends incomplete.',
    ({ responses }) => {
      const { finishedStatus } = responses
      responses.finishedStatus = (run) => (run.plan.kind === 'speech' ? 'incomplete' : finishedStatus(run))
    },
  ],
})

const assetDefects = defectsOf('control-channel', {
  'script-speech-asset.added-asset-spoken': [
    'Added texts are spoken in capitals.',
    ({ registry }) => {
      const { pick } = registry
      registry.pick = (session, kind, id) => {
        const asset = pick(session, kind, id)
        return kind === 'speech_text' && asset !== undefined && !isPlanned(session, kind, id)
          ? change('text', (text) => String(text).toUpperCase())(asset)
          : asset
      }
    },
  ],
  'script-speech-asset.create-time-asset-spoken': [
    'Texts of the creation are unknown.',
    ({ registry }) => {
      registry.initial = (assets, kind) => (kind === 'audio' || kind === 'visual_prompts' ? wiresAt(assets, kind) : [])
    },
  ],
  'script-speech-asset.right-asset-spoken': [
    'The last text is spoken, whatever was named.',
    ({ registry }) => {
      const { pick } = registry
      registry.pick = (session, kind, id) =>
        kind === 'speech_text' && pick(session, kind, id) !== undefined
          ? [...session.assets[kind].values()].at(-1)
          : pick(session, kind, id)
    },
  ],
  'script-speech-asset.unknown-asset-rejected': [
    'Unknown texts are silent.',
    ({ rules }) =>
      narrow(rules.responseCreate['speech-asset-unknown'], (input) =>
        isOfAnotherKind(input.session, 'speech_text', vocalOf(input)['speech_text_asset_id']),
      ),
  ],
  'script-speech-asset.other-kind-rejected': [
    'A visual prompt may be spoken.',
    ({ rules }) =>
      narrow(
        rules.responseCreate['speech-asset-unknown'],
        (input) => !isOfAnotherKind(input.session, 'speech_text', vocalOf(input)['speech_text_asset_id']),
      ),
  ],
  'script-speech-asset.id-missing-rejected': [
    'Without an id the speech is silent.',
    ({ rules }) => waive(rules.responseCreate, 'speech-asset-missing'),
  ],
})

export const scriptDefects = [...ruleDefects, ...outputDefects, ...writingDefects, ...speechDefects, ...assetDefects]
