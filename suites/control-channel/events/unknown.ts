import { equals, event, inEvent, value } from '#trace/conditions'
import { errorAbout } from '../error-about.ts'
import { isTold, onlyIf } from '../expectation.ts'
import { claiming } from '../step.ts'

/** What has no type is refused by the same code as ever. An `error` that names nothing may be about the response. */
const sendTypeless = claiming({ error: 'invalid-event-code' }).step(async (talk) => {
  const id = talk.context.id('typeless')
  await talk.say({ event_id: id }, errorAbout(id), ({ at }) => {
    const named = event('error', { '/error/event_id': id })
    const code = inEvent(talk.event(named, at), '/error/code')
    const told = [talk.inTime(named, at), ...isTold(code)]
    return { 'error.invalid-event-code': onlyIf(told, equals(code, value('invalid_event'))) }
  })
})

/** Without an id, so that any `error` may be about it, one about the response, too. */
const sendNoJson = claiming({ message: 'invalid-json-rejected' }).step(async (talk) => {
  const message = '{"type": "session.update", "session": {'
  await talk.fault(message, ({ rejected }) => ({ 'message.invalid-json-rejected': rejected }), { alone: false })
})

/** Of a type that nobody knows, beside whatever is active or waits. */
export const sendUnknownType = claiming({ message: 'unknown-type-rejected' }).step(async (talk) => {
  const id = talk.context.id('unknown')
  await talk.say({ type: 'session.rewind', event_id: id }, errorAbout(id), ({ at }) => ({
    'message.unknown-type-rejected': talk.inTime(errorAbout(id), at),
  }))
})

/** Unknown events are refused, though a response is active; so is what is no event at all. */
export const sendUnknown = claiming({}, sendUnknownType, sendTypeless, sendNoJson).step(async (talk) => {
  await sendUnknownType(talk)
  await sendTypeless(talk)
  await sendNoJson(talk)
})
