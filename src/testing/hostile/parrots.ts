import { eventFrame } from './frames.ts'
import { channelRow, type Misbehave } from './hostile-channel.ts'
import type { HostileTarget } from './hostile-target.ts'
import { nastyText } from './nasty-text.ts'

/** Answers every message with the same bytes. */
function parrot(event: object): Misbehave {
  const bytes = eventFrame(event)
  return ({ ws, raw }) => void ws.on('message', () => raw.write(bytes))
}

const response = { id: 'r', status: 'completed', status_details: null, output: [], max_output_tokens: 'inf' }

/** Channels that speak correctly and say nothing true. */
export const parrots: HostileTarget[] = [
  channelRow('silent-channel', 'a channel that never says anything', () => {}),
  channelRow(
    'parrot-updated',
    'one and the same session.updated to everything',
    parrot({
      type: 'session.updated',
      event_id: 'fixed',
      session: { mode: 'text_chat', active_avatar_id: 'a', source_image_id: null },
    }),
  ),
  channelRow(
    'parrot-done',
    'one and the same response.done to everything',
    parrot({ type: 'response.done', event_id: 'fixed', response }),
  ),
  channelRow(
    'parrot-error',
    'one and the same error to everything',
    parrot({ type: 'error', event_id: 'fixed', error: { type: 'server_error', code: 'invalid_event', message: 'no' } }),
  ),
  channelRow('parrot-nasty', 'escape sequences and markup in every error', ({ ws, raw, session_id }) => {
    const error = { type: nastyText, code: nastyText, message: nastyText, param: nastyText, event_id: nastyText }
    const bytes = eventFrame({ type: 'error', event_id: nastyText, session_id, error })
    raw.write(bytes)
    ws.on('message', () => raw.write(bytes))
  }),
  channelRow(
    'closed-immediately',
    'session.closed as the first event, and the channel closes',
    ({ ws, raw, session_id }) => {
      raw.write(eventFrame({ type: 'session.closed', event_id: 'first', session_id, reason: 'because' }))
      ws.close(1000)
    },
  ),
]
