import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition, Point } from '#trace/claim'
import { absent, admitted, before, different, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, textChat } from '../bodies.ts'
import { namelessError } from '../error-about.ts'
import { tryEventIds } from './event-ids.ts'
import { type Row, rows } from '../rows.ts'
import { Talk } from '../talk.ts'
import { tryUnknownFields } from './unknown-fields.ts'
import { takeTurns, update, type Updated } from '../updates/updates.ts'

/** Faulty messages: each is answered with an `error`, and the channel goes on working. */
export const errors: Scenario = {
  id: 'control-channel.errors',
  proves: rows(
    'response-created.request-event-id-names-request',
    'message.server-json-object',
    'message.missing-type-rejected',
    'message.type-not-string-rejected',
    'message.unknown-type-rejected',
    'message.server-type-rejected',
    'message.invalid-json-rejected',
    'message.not-an-object-rejected',
    'message.unknown-field-ignored',
    'message.unknown-nested-field-ignored',
    'event-id.512-accepted',
    'event-id.513-rejected',
    'event-id.513-changes-nothing',
    'event-id.512-non-ascii-accepted',
    'event-id.512-echoed-whole',
    'event-id.empty-accepted',
    'server-event.event-id-nonempty',
    'server-event.event-id-unique',
    'server-event.event-id-server-generated',
    'server-event.type-nonempty',
    'error.error-object',
    'error.message-string',
    'error.type-string',
    'error.code-string',
    'error.event-id-string',
    'error.event-id-names-cause',
    'error.invalid-event-code',
    'error.usable-after-missing-type',
    'error.usable-after-unknown-type',
    'error.usable-after-invalid-json',
    'error.usable-after-invalid-update',
    'error.usable-after-invalid-response',
    'error.session-stays-open',
    'secret.valid-while-open',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const open = async () => new Talk(context, await context.connect(session))
    const turn = takeTurns()
    let talk = await open()
    let { confirmed } = await update(talk, { active_avatar_id: turn() })
    for (const fault of faultsIn(context)) {
      if (talk.channel.state !== 'open') {
        talk = await open()
        confirmed = (await update(talk, { active_avatar_id: turn() })).confirmed
      }
      await commit(talk, fault, confirmed, turn())
    }
    await tryUnknownFields(talk, turn)
    await tryEventIds(talk, turn)
    await talk.leave()
    await comeBack(context, session, turn(), [confirmed])
  },
}

interface Fault {
  readonly rows: readonly Row[]
  /** The channel goes on working after it. */
  readonly usable?: Row
  readonly message: JsonObject | string
}

function faultsIn(context: Context): readonly Fault[] {
  const event_id = () => context.id('faulty')
  const session = { active_avatar_id: guide }
  const notObject: readonly Row[] = ['message.not-an-object-rejected']
  const unasked: readonly Row[] = ['message.server-type-rejected']
  return [
    {
      rows: ['message.missing-type-rejected'],
      usable: 'error.usable-after-missing-type',
      message: { event_id: event_id(), session },
    },
    { rows: ['message.type-not-string-rejected'], message: { type: 17, event_id: event_id(), session } },
    {
      rows: ['message.type-not-string-rejected'],
      message: { type: ['session.update'], event_id: event_id(), session },
    },
    {
      rows: ['message.unknown-type-rejected'],
      usable: 'error.usable-after-unknown-type',
      message: { type: 'session.rewind', event_id: event_id(), session },
    },
    { rows: ['message.unknown-type-rejected'], message: { type: '', event_id: event_id(), session } },
    { rows: ['message.unknown-type-rejected'], message: { type: 'session.rewind', session } },
    { rows: unasked, message: { type: 'session.updated', event_id: event_id(), session } },
    { rows: unasked, message: { type: 'response.done', event_id: event_id(), response: { status: 'completed' } } },
    {
      rows: ['message.invalid-json-rejected'],
      usable: 'error.usable-after-invalid-json',
      message: '{"type": "session.update", "session": {"active_avatar_id": ',
    },
    { rows: ['message.invalid-json-rejected'], message: 'session.update' },
    { rows: notObject, message: `[${JSON.stringify({ type: 'session.update', session })}]` },
    { rows: notObject, message: '"session.update"' },
    { rows: notObject, message: 'null' },
    {
      rows: [],
      usable: 'error.usable-after-invalid-update',
      message: { type: 'session.update', event_id: event_id(), session: { mode: 'audio_only' } },
    },
    {
      rows: [],
      usable: 'error.usable-after-invalid-response',
      message: { type: 'response.create', event_id: event_id(), response: { script: {} } },
    },
  ]
}

async function commit(talk: Talk, fault: Fault, twin: Condition, avatar: string): Promise<Updated> {
  await talk.fault(fault.message, (it) => {
    const given = { given: [twin] }
    talk.claim(fault.rows, it.rejected, given)
    if (it.id === undefined) claimNameless(talk, it.at)
    if (fault.rows.includes('message.missing-type-rejected')) {
      const code = inEvent(talk.event(event('error'), it.at), '/error/code')
      const told = { given: [twin, it.rejected, different(code, absent)], choice: true }
      talk.claim('error.invalid-event-code', equals(code, value('invalid_event')), told)
    }
    if (fault.usable !== undefined) {
      const works = event('session.updated', { '/session/active_avatar_id': avatar })
      talk.claim(fault.usable, talk.eventually(works, it.at), { given: [twin, it.rejected] })
    }
  })
  return update(talk, { active_avatar_id: avatar })
}

/**
 * What bears no id cannot be named: where an `error` with an id of ours comes instead, which may be a late one about an
 * earlier event, that about this one comes as well.
 */
function claimNameless(talk: Talk, at: Point): void {
  const naming = talk.event(event('error', { '/error/event_id': { $present: true, $not: null } }), at)
  const named = [before({ event: naming }, talk.after(1)), different(inEvent(naming, '/error/event_id'), value(''))]
  talk.claim('error.event-id-names-cause', talk.eventually(namelessError, at), { given: named, choice: true })
}

/** After all these errors the session still admits a connection. */
async function comeBack(
  context: Context,
  session: OpenSession,
  avatar: string,
  given: readonly Condition[],
): Promise<void> {
  const number = context.channelNumber()
  context.claim('control-channel.error.session-stays-open', admitted(number), { given })
  context.claim('control-channel.secret.valid-while-open', admitted(number))
  const talk = new Talk(context, await context.open(session, { channel: number }))
  await update(talk, { active_avatar_id: avatar })
}
