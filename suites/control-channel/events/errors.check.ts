import type { Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { any, before, different, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, textChat } from '../bodies.ts'
import { namelessError } from '../error-about.ts'
import { forRows, given, isTold, onlyIf } from '../expectation.ts'
import { insertIntoNothing } from '../items/place.ts'
import { refusing } from '../refusals.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { claiming, ofOneSession } from '../step.ts'
import { activate, takeTurns, update } from '../updates/updates.ts'
import { tryEventIds } from './event-ids.ts'
import { tryIdsOfEach } from './each-type.ts'
import { tryUnknownFields } from './unknown-fields.ts'

const rejectedRows = rows({
  message: [
    'missing-type-rejected type-not-string-rejected unknown-type-rejected server-type-rejected',
    'invalid-json-rejected not-an-object-rejected',
  ],
})

const usableRows = rows({
  error: [
    'usable-after-missing-type usable-after-unknown-type usable-after-invalid-json usable-after-invalid-update',
    'usable-after-invalid-response',
  ],
})

interface Fault {
  readonly rejected?: (typeof rejectedRows)[number]
  /** The channel goes on working after it. */
  readonly usable?: (typeof usableRows)[number]
  readonly message: JsonObject | string
  /** Ids of the others. */
  readonly others?: readonly string[]
}

const unknownType = (context: Context): Fault => ({
  rejected: 'message.unknown-type-rejected',
  usable: 'error.usable-after-unknown-type',
  message: { type: 'session.rewind', event_id: context.id('faulty'), session: { active_avatar_id: guide } },
})

function faultsIn(context: Context): readonly Fault[] {
  const event_id = () => context.id('faulty')
  const session = { active_avatar_id: guide }
  const notObject = 'message.not-an-object-rejected'
  const unasked = 'message.server-type-rejected'
  return [
    {
      rejected: 'message.missing-type-rejected',
      usable: 'error.usable-after-missing-type',
      message: { event_id: event_id(), session },
    },
    { rejected: 'message.missing-type-rejected', message: { session } },
    { rejected: 'message.type-not-string-rejected', message: { type: 17, event_id: event_id(), session } },
    {
      rejected: 'message.type-not-string-rejected',
      message: { type: ['session.update'], event_id: event_id(), session },
    },
    { rejected: 'message.type-not-string-rejected', message: { type: null, event_id: event_id(), session } },
    unknownType(context),
    // One of a family of which the server sends others.
    { rejected: 'message.unknown-type-rejected', message: { type: 'input_audio.rewind', event_id: event_id() } },
    { rejected: 'message.unknown-type-rejected', message: { type: '', event_id: event_id(), session } },
    { rejected: 'message.unknown-type-rejected', message: { type: 'session.rewind', session } },
    { rejected: unasked, message: { type: 'session.updated', event_id: event_id(), session } },
    { rejected: unasked, message: { type: 'response.done', event_id: event_id(), response: { status: 'completed' } } },
    {
      rejected: 'message.invalid-json-rejected',
      usable: 'error.usable-after-invalid-json',
      message: '{"type": "session.update", "session": {"active_avatar_id": ',
    },
    {
      rejected: 'message.invalid-json-rejected',
      usable: 'error.usable-after-invalid-json',
      message: 'session.update',
    },
    { rejected: notObject, message: `[${JSON.stringify({ type: 'session.update', session })}]` },
    { rejected: notObject, message: '"session.update"' },
    { rejected: notObject, message: 'null' },
    {
      usable: 'error.usable-after-invalid-update',
      message: { type: 'session.update', event_id: event_id(), session: { mode: 'audio_only' } },
    },
    {
      usable: 'error.usable-after-invalid-response',
      message: { type: 'response.create', event_id: event_id(), response: { script: {} } },
    },
  ]
}

const idIn = ({ event_id }: JsonObject): readonly string[] => (typeof event_id === 'string' ? [event_id] : [])

const sendFault = claiming({ error: 'event-id-names-cause invalid-event-code' }, rejectedRows, usableRows).step(
  async (talk, { message, rejected: row, usable, others = [] }: Fault, control: Condition, avatar: string) => {
    await talk.fault(message, (it) => {
      const works = event('session.updated', { '/session/active_avatar_id': avatar })
      talk.expect(forRows(row ?? [], given(control, it.rejected)))
      talk.expect(forRows(usable ?? [], given([control, it.rejected], talk.eventually(works, it.at))))
      // What bears no id is named by none of ours: where an `error` with one of these comes instead, which may be a late one
      // about an earlier event, that about this one comes as well.
      const naming = talk.event(event('error', { '/error/event_id': { $present: true, $not: null } }), it.at)
      const named = [before({ event: naming }, talk.after(1)), different(inEvent(naming, '/error/event_id'), value(''))]
      const foreign = different(inEvent(naming, '/error/event_id'), oneOf(...others))
      const code = inEvent(talk.event(event('error'), it.at), '/error/code')
      const told = onlyIf([control, it.rejected, ...isTold(code)], equals(code, value('invalid_event')))
      return {
        'error.event-id-names-cause':
          it.id === undefined ? onlyIf(named, any(talk.eventually(namelessError, it.at), foreign)) : undefined,
        'error.invalid-event-code': row === 'message.missing-type-rejected' ? told : undefined,
      }
    })
    await activate(talk, avatar)
  },
)

/** Over another connection an update is named as over the first one. */
const comeBack = claiming({ 'session-updated': 'event-id-echoed' }).step((talk, active_avatar_id: string) =>
  update(talk, { active_avatar_id }, (it) => ({
    'session-updated.event-id-echoed': onlyIf(it.confirmed, equals(inEvent(it.updated, '/event_id'), value(it.id))),
  })),
)

/** Faulty messages: each is answered with an `error`, and the channel goes on working. */
export const errors = ofOneSession({
  id: 'control-channel.errors',
  claims: rows({ error: 'session-stays-open', secret: 'valid-while-open' }),
  steps: [sendFault, insertIntoNothing, tryUnknownFields, tryEventIds, tryIdsOfEach, comeBack, refusing, asking],
  observes: rows({
    message: 'server-json-object',
    'server-event': 'event-id-nonempty event-id-unique event-id-server-generated type-nonempty',
    error: 'error-object message-string type-string code-string event-id-string',
    'session-updated': 'event-id-echoed',
  }),
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const turn = takeTurns()
    let talk = await scene.connect(session)
    let { confirmed } = await activate(talk, turn())
    const faults = faultsIn(scene.context)
    const others = faults.flatMap(({ message }) => (typeof message === 'string' ? [] : idIn(message)))
    for (const fault of faults) {
      if (talk.channel.state !== 'open') {
        talk = await scene.connect(session)
        confirmed = (await activate(talk, turn())).confirmed
      }
      await sendFault(talk, { ...fault, others }, confirmed, turn())
    }
    await insertIntoNothing(talk)
    await tryUnknownFields(talk, turn)
    await tryEventIds(talk, turn)
    await tryIdsOfEach(talk)
    await talk.leave()
    // After all these errors the session still admits a connection.
    const again = await scene.expectAdmitted(session, ({ admitted }) => ({
      'error.session-stays-open': given(confirmed, admitted),
      'secret.valid-while-open': admitted,
    }))
    const { confirmed: back } = await comeBack(again, turn())
    await sendFault(again, unknownType(scene.context), back, turn())
  },
})
