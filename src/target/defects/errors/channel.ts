import { splitEvent } from '#target/overrides/events'
import { defectsOf } from '../tools/table.ts'

export const channelDefects = defectsOf('errors.channel', {
  'snake-case-names: Deltas have their index in camel case.': splitEvent(
    'response.output_text.delta',
    ({ output_index: outputIndex, ...rest }) => [{ ...rest, outputIndex }],
  ),
  'snake-case-names~beside: Confirmed updates carry a copy of their request in camel case.': splitEvent(
    'session.update.done',
    (event) => [{ ...event, requestEventId: event['request_event_id'] ?? null }],
  ),
  'failures-are-events: Failures on the channel come in the envelope of REST.': splitEvent('error', (event) => [
    { code: 30004, message: 'invalid argument', data: event['error'] },
  ]),
})
