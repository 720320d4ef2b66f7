import type { Behaviour } from '#target/behaviour/behaviour'
import type { Wire } from '#target/wire'
import { change, drop } from '../paths.ts'
import { runsOf } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { mute, onEvent, splitEvent, twice } from '../tools.ts'

const RENDER = { started: 'response.render.started', stopped: 'response.render.stopped' } as const
const notRendering =
  (...kinds: string[]) =>
  ({ responses }: Behaviour): void => {
    const { renders } = responses
    responses.renders = (plan) => renders(plan) && !kinds.includes(plan.kind)
  }

/** 3.4 and 6.2: rendering. */
export const renderDefects = defectsOf('control-channel', {
  'render.never-in-text-chat': [
    'Text is rendered, too.',
    ({ responses }) => void (responses.renders = ({ kind }) => kind !== 'tool_call'),
  ],
  'render.no-stop-in-text-chat': [
    'In text a rendering stops that never started.',
    (b) => {
      const runOf = runsOf(b)
      splitEvent(b, 'response.done', (event) => {
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
      })
    },
  ],
  'render.not-for-tool-calls': [
    'Tool calls are rendered.',
    ({ responses }) => void (responses.renders = ({ state }) => state.mode === 'video_avatar'),
  ],
  'render.tool-calls-reach-done': [
    'A tool call falls silent after its item.',
    (b) => {
      const runOf = runsOf(b)
      mute(b, 'response.done', (event) => runOf(event)?.plan.kind === 'tool_call')
    },
  ],
  'render.something-rendered': ['Nothing is ever rendered.', ({ responses }) => void (responses.renders = () => false)],
  'render-started.response-id': [
    'A rendering names no response.',
    (b) => onEvent(b, RENDER.started, drop('response_id')),
  ],
  'render-started.for-model-output': ['Replies are not rendered.', notRendering('reply')],
  'render-started.for-speech': ['Speech is not rendered.', notRendering('speech', 'speech_asset')],
  'render-started.for-audio': ['Audio is not rendered.', notRendering('audio', 'audio_asset')],
  'render-started.for-visual-only': ['Actions are not rendered.', notRendering('visual')],
  'render-started.once': ['A rendering starts twice.', (b) => twice(b, RENDER.started)],
  'render-started.after-created': [
    'A rendering starts before its response.',
    (b) => {
      b.responses.order = [RENDER.started, ...b.responses.order.filter((step) => step !== RENDER.started)]
    },
  ],
  'render-stopped.response-id': [
    'The end of a rendering names no response.',
    (b) => onEvent(b, RENDER.stopped, drop('response_id')),
  ],
  'render-stopped.status-in-set': [
    'A rendering is `finished`.',
    (b) =>
      onEvent(
        b,
        RENDER.stopped,
        change('status', (status) => (status === 'completed' ? 'finished' : status)),
      ),
  ],
  'render-stopped.follows-started': ['A rendering never stops.', (b) => mute(b, RENDER.stopped)],
  'render-stopped.only-after-started': [
    'A rendering stops and then starts.',
    (b) => {
      const started = new Map<unknown, Wire>()
      b.outgoing.push((event) => {
        if (event['type'] === RENDER.started) {
          started.set(event['response_id'], event)
          return []
        }
        const first = started.get(event['response_id'])
        return event['type'] === RENDER.stopped && first !== undefined ? [event, first] : [event]
      })
    },
  ],
  'render-stopped.once': ['A rendering stops twice.', (b) => twice(b, RENDER.stopped)],
  'render-stopped.before-done': [
    'A rendering stops after its response.',
    (b) => {
      b.responses.order = [...b.responses.order.filter((step) => step !== RENDER.stopped), RENDER.stopped]
    },
  ],
  'render-stopped.done-follows': [
    'A response that was rendered falls silent.',
    (b) => {
      const runOf = runsOf(b)
      mute(
        b,
        'response.done',
        (event) => runOf(event)?.reached.has(RENDER.stopped) === true && runOf(event)?.status === 'completed',
      )
    },
  ],
  'render-stopped.undisturbed-completed': [
    'Every rendering is interrupted.',
    ({ responses }) => void (responses.renderStatus = () => 'interrupted'),
  ],
  'render-stopped.cut-not-completed': [
    'Every rendering completes.',
    ({ responses }) => void (responses.renderStatus = () => 'completed'),
  ],
})
