import { errorAbout } from '../error-about.ts'
import { claiming } from '../step.ts'

/** An unknown event is refused, though a response is active. */
export const sendUnknown = claiming({ message: 'unknown-type-rejected' }).step(async (talk) => {
  const id = talk.context.id('unknown')
  await talk.say({ type: 'session.rewind', event_id: id }, errorAbout(id), ({ at }) => ({
    'message.unknown-type-rejected': talk.inTime(errorAbout(id), at),
  }))
})
