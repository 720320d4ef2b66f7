import type { Override } from '#target/behaviour/behaviour'
import { change, omit } from '#target/overrides/changes'
import { withhold, withholdRendering, onEvent, splitEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import { isInVideo } from '../tools/modes.ts'
import { onceReturned } from '../tools/refusals.ts'
import { runsOf } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

const RENDER = { started: 'response.render.started', stopped: 'response.render.stopped' } as const

const notRendering = (...kinds: string[]): Override =>
  around('responses.renders', (renders) => (plan) => renders(plan) && !kinds.includes(plan.kind))

export const renderDefects = defectsOf('control-channel.render', {
  'never-in-text-chat: Text is rendered, too.': set('responses.renders', ({ kind }) => kind !== 'tool_call'),
  'never-in-text-chat~audio: Audio is rendered in text as well.': around(
    'responses.renders',
    (renders) => (plan) => renders(plan) || plan.kind === 'audio',
  ),
  'never-in-text-chat~after-switch: A session that was made for video goes on rendering after a switch to text.': set(
    'scheduling.submitted',
    (plan, session) => {
      const { state } = session.plan
      return state.mode === 'video_avatar' ? { ...plan, state } : plan
    },
  ),
  'no-stop-in-text-chat: In text a rendering stops that never started.': (b) => {
    const runOf = runsOf(b)
    splitEvent('response.done', (event) => {
      const run = runOf(event)
      if (run === undefined || run.plan.state.mode !== 'text_chat') return [event]
      return [
        {
          type: RENDER.stopped,
          event_id: `${String(event['event_id'])}_stop`,
          response_id: run.id,
          status: 'completed',
        },
        event,
      ]
    })(b)
  },
  'not-for-tool-calls: Tool calls are rendered.': set('responses.renders', isInVideo),
  'tool-calls-reach-done: A tool call falls silent after its item.': (b) => {
    const runOf = runsOf(b)
    withhold('response.done', (event) => runOf(event)?.plan.kind === 'tool_call')(b)
  },
  'something-rendered: Nothing is ever rendered.': set('responses.renders', () => false),
})

export const renderStartedDefects = defectsOf('control-channel.render-started', {
  'response-id: A rendering names no response.': onEvent(RENDER.started, omit('response_id')),
  'for-model-output: Replies are not rendered.': notRendering('reply'),
  'for-speech: Speech is not rendered.': notRendering('speech', 'speech_asset'),
  'for-speech~switched: A session that was created in text_chat never reports rendering.': withholdRendering(
    ({ plan }) => plan.state.mode === 'text_chat',
  ),
  'for-speech~character: A session from a character never reports rendering.': withholdRendering(
    ({ plan }) => plan.characterId !== undefined,
  ),
  'for-speech~reconnect: After a reconnect nothing is told of rendering.': onceReturned((returned) => [
    withholdRendering(returned),
  ]),
  'for-speech~out-of-band: Speech that is out of band is not rendered.': around(
    'responses.renders',
    (renders) => (plan) => renders(plan) && !(plan.kind === 'speech' && plan.conversation === 'none'),
  ),
  'for-audio~asset: Audio of an asset is not rendered.': notRendering('audio_asset'),
  'for-audio: Audio is not rendered.': notRendering('audio', 'audio_asset'),
  'for-visual-only: Actions are not rendered.': notRendering('visual'),
  'once: A rendering starts twice.': twice(RENDER.started),
  'after-created: A rendering starts before its response.': around('responses.order', (order) => [
    RENDER.started,
    ...order.filter((step) => step !== RENDER.started),
  ]),
})

export const renderStoppedDefects = defectsOf('control-channel.render-stopped', {
  'response-id: The end of a rendering names no response.': onEvent(RENDER.stopped, omit('response_id')),
  'status-in-set: A rendering is `finished`.': onEvent(
    RENDER.stopped,
    change('status', (status) => (status === 'completed' ? 'finished' : status)),
  ),
  'status-in-set~visual-only: The rendering of an action without words ends `stopped`.': (b) => {
    const runOf = runsOf(b)
    onEvent('response.render.stopped', (event) =>
      runOf(event)?.plan.kind === 'visual' ? { ...event, status: 'stopped' } : event,
    )(b)
  },
  'follows-started: A rendering never stops.': withhold(RENDER.stopped),
  'only-after-started: A rendering stops and then starts.': remembering(() => {
    const started = new Map<unknown, JsonObject>()
    return append('outgoing', (event) => {
      if (event['type'] === RENDER.started) {
        started.set(event['response_id'], event)
        return []
      }
      const first = started.get(event['response_id'])
      return event['type'] === RENDER.stopped && first !== undefined ? [event, first] : [event]
    })
  }),
  'once: A rendering stops twice.': twice(RENDER.stopped),
  'before-done: A rendering stops after its response.': around('responses.order', (order) => [
    ...order.filter((step) => step !== RENDER.stopped),
    RENDER.stopped,
  ]),
  'before-done~audio-asset: The rendering of an audio asset stops after response.done.': remembering(() => {
    const held = memory((): JsonObject[] => [])
    return append('outgoing', (event, session) => {
      if (event['type'] === 'response.render.stopped' && session.response?.plan.kind === 'audio_asset') {
        held(session).push(event)
        return []
      }
      return event['type'] === 'response.done' ? [event, ...held(session).splice(0)] : [event]
    })
  }),
  'done-follows: A response that was rendered falls silent.': (b) => {
    const runOf = runsOf(b)
    withhold(
      'response.done',
      (event) => runOf(event)?.reached.has(RENDER.stopped) === true && runOf(event)?.status === 'completed',
    )(b)
  },
  'undisturbed-completed: Every rendering is interrupted.': set('responses.renderStatus', () => 'interrupted'),
  'cut-not-completed: Every rendering completes.': set('responses.renderStatus', () => 'completed'),
  'cut-not-completed~action: The rendering of an action that was cut stops as completed.': onEvent(
    RENDER.stopped,
    (event, { response }) => (response?.plan.kind === 'visual' ? { ...event, status: 'completed' } : event),
  ),
})
