import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition, Point } from '#trace/claim'
import { absent, all, different, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, host, plain, textChat } from '../bodies.ts'
import { type Row, rows } from '../rows.ts'
import { type ClaimOptions, Talk } from '../talk.ts'
import { look, type Update, update, type Updated } from './updates.ts'

/** `session.update` and its two answers, in `text_chat`. */
export const sessionUpdate: Scenario = {
  id: 'control-channel.session-update',
  proves: rows(
    'message.event-id-optional',
    'session-update.active-avatar-applied',
    'session-update.mode-kept-when-omitted',
    'session-update.active-avatar-kept-when-omitted',
    'session-update.text-chat-mode-applied',
    'session-update.persists',
    'session-update.avatar-without-visual-in-text-chat',
    'session-update.unknown-avatar-rejected',
    'session-update.unknown-mode-rejected',
    'session-update.rejected-changes-nothing',
    'session-update.invalid-answered-by-error',
    'session-update.invalid-no-updated',
    'session-update.invalid-no-done',
    'session-update.accepted-yields-updated',
    'session-update.updated-once',
    'session-update.accepted-yields-done',
    'session-update.done-once',
    'session-update.newest-wins',
    'session-update.undisturbed-completes',
    'session-updated.event-id-echoed',
    'session-updated.event-id-generated',
    'session-updated.session-object',
    'session-updated.mode-in-set',
    'session-updated.active-avatar-id-string',
    'session-updated.source-image-id-string-or-null',
    'session-updated.source-image-null-in-text-chat',
    'session-updated.active-avatar-known',
    'session-updated.only-when-applied',
    'session-update-done.request-event-id',
    'session-update-done.status-in-set',
    'session-update-done.reason-string',
    'session-update-done.not-replayed',
    'error.event-id-names-cause',
    'error.unasked-none',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = new Talk(context, await context.connect(session))
    const inTurn = await applyInTurn(talk)
    const unnamed = await applyUnnamed(talk)
    await refuseFaults(talk, unnamed.confirmed)
    const inARow = await applyInARow(talk, inTurn.flatMap(namedBy))
    await talk.channel.close()
    const again = new Talk(context, await context.connect(session))
    const settled = inTurn.map((one) => one.settled)
    await hearNothingAgain(again, [...inTurn.map(({ id }) => id), ...inARow], { given: settled })
  },
}

/** What every accepted update brings, whatever it changes. */
function claimAnswers(talk: Talk, it: Update): void {
  talk.claim('session-update.accepted-yields-updated', it.confirmed)
  talk.claim('session-update.accepted-yields-done', it.settled, { given: [it.confirmed] })
  talk.claim('session-updated.event-id-echoed', equals(inEvent(it.updated, '/event_id'), value(it.id)))
  talk.claim('session-update-done.request-event-id', equals(inEvent(it.done, '/request_event_id'), value(it.id)))
  talk.claim('session-update.undisturbed-completes', equals(inEvent(it.done, '/status'), value('completed')))
  claimOnce(talk, it.id, it)
  const [updated, done] = [event('session.updated'), event('session.update.done')]
  talk.claim('session-update.updated-once', talk.never(updated, { event: it.updated }, talk.after(1)))
  talk.claim('session-update.done-once', talk.never(done, { event: it.done }, talk.after(1)))
}

/** Neither answer comes twice, as long as the connection lasts. */
function claimOnce(talk: Talk, id: string, { updated, done }: Pick<Update, 'updated' | 'done'>): void {
  const again = event('session.updated', { '/event_id': id })
  talk.claim('session-update.updated-once', talk.never(again, { event: updated }))
  const doneAgain = event('session.update.done', { '/request_event_id': id })
  talk.claim('session-update.done-once', talk.never(doneAgain, { event: done }))
}

/** One change after the other, each of them seen by the next. */
async function applyInTurn(talk: Talk): Promise<readonly Updated[]> {
  const id = talk.context.id('update')
  const first = await change(talk, { active_avatar_id: host }, id, (it) => {
    const unasked = talk.never(event('error', { '/error/event_id': id }), talk.opened)
    talk.claim('error.unasked-none', unasked, { given: [it.confirmed] })
    talk.claim('session-update.active-avatar-applied', it.shows({ active_avatar_id: host }))
    talk.claim('session-update.mode-kept-when-omitted', it.shows({ mode: 'text_chat' }))
  })
  await look(talk, (it) => {
    const kept: readonly Row[] = ['session-update.active-avatar-kept-when-omitted', 'session-update.persists']
    talk.claim(kept, it.shows({ active_avatar_id: host }), { given: [it.confirmed], choice: true })
  })
  const second = await change(talk, { mode: 'text_chat', active_avatar_id: guide }, talk.context.id('update'), (it) => {
    talk.claim('session-update.text-chat-mode-applied', it.shows({ mode: 'text_chat' }))
    talk.claim('session-update.active-avatar-applied', it.shows({ active_avatar_id: guide }))
  })
  const third = await change(talk, { active_avatar_id: plain }, talk.context.id('update'), (it) => {
    talk.claim('session-update.avatar-without-visual-in-text-chat', it.shows({ active_avatar_id: plain }))
  })
  return [first, second, third]
}

function change(talk: Talk, session: JsonObject, id: string, write: (it: Update) => void): Promise<Updated> {
  return update(talk, session, {
    id,
    write: (it) => {
      claimAnswers(talk, it)
      write(it)
    },
  })
}

/** Without an `event_id` the service gives one. */
function applyUnnamed(talk: Talk): Promise<Updated> {
  return update(
    talk,
    { active_avatar_id: host },
    {
      id: null,
      write: (it) => {
        const own = inEvent(it.updated, '/event_id')
        talk.claim('message.event-id-optional', it.shows({ active_avatar_id: host }))
        talk.claim('session-updated.event-id-generated', all(different(own, absent), different(own, value(''))))
        talk.claim('session-update.accepted-yields-done', it.settled, { given: [it.confirmed] })
      },
    },
  )
}

/** Faults beside valid fields: the avatar stays `host`. */
function faultsIn(context: Context): readonly (readonly [rows: readonly Row[], session: JsonObject])[] {
  const nobody = context.id('avatar')
  return [
    [['session-update.unknown-avatar-rejected'], { active_avatar_id: nobody }],
    [['session-update.unknown-avatar-rejected'], { mode: 'text_chat', active_avatar_id: nobody }],
    [['session-update.unknown-mode-rejected'], { mode: 'audio_only' }],
    [['session-update.unknown-mode-rejected'], { mode: 'audio_only', active_avatar_id: guide }],
    [['session-update.unknown-mode-rejected'], { mode: 'Text_Chat', active_avatar_id: plain }],
  ]
}

async function refuseFaults(talk: Talk, twin: Condition): Promise<void> {
  for (const [named, session] of faultsIn(talk.context)) {
    const id = talk.context.id('faulty-update')
    const { rejected } = await talk.fault({ type: 'session.update', event_id: id, session }, (it) => {
      const given = { given: [twin] }
      talk.claim([...named, 'session-update.invalid-answered-by-error'], it.rejected, given)
      const updated = event('session.updated', { '/event_id': id })
      talk.claim('session-update.invalid-no-updated', talk.never(updated, it.at), given)
      const done = event('session.update.done', { '/request_event_id': id })
      talk.claim('session-update.invalid-no-done', talk.never(done, it.at), given)
    })
    await look(talk, (it) => {
      const options = { given: [twin, rejected, it.confirmed], choice: true }
      talk.claim(
        'session-update.rejected-changes-nothing',
        it.shows({ active_avatar_id: host, mode: 'text_chat' }),
        options,
      )
    })
  }
}

/**
 * Three updates at once; the state is that of the last.
 *
 * @param named answers to an earlier update named it, without which those of several cannot be told apart
 */
async function applyInARow(talk: Talk, named: readonly Condition[]): Promise<readonly string[]> {
  const ids = [plain, host, guide].map((avatar) => ({ avatar, id: talk.context.id('update') }))
  ids.forEach(({ id }, place) => claimOneOfARow(talk, { id, last: place === ids.length - 1 }, talk.after(place), named))
  const last = ids.at(-1)?.id ?? ''
  const updated = event('session.updated', { '/event_id': last })
  const applied = event('session.updated', { '/event_id': last, '/session/active_avatar_id': guide })
  talk.claim('session-update.newest-wins', talk.eventually(applied, talk.after(2)), { given: named })
  for (const { avatar, id } of ids) {
    talk.send({ type: 'session.update', event_id: id, session: { active_avatar_id: avatar } })
  }
  for (const { id } of ids) await talk.hear(event('session.update.done', { '/request_event_id': id }), 0)
  await talk.hear(updated, 0)
  await look(talk, (it) => {
    const options = { given: [it.confirmed], choice: true }
    talk.claim('session-update.newest-wins', it.shows({ active_avatar_id: guide }), options)
  })
  return ids.map(({ id }) => id)
}

function claimOneOfARow(talk: Talk, { id, last }: OneOfARow, at: Point, given: readonly Condition[]): void {
  const updated = event('session.updated', { '/event_id': id })
  const done = event('session.update.done', { '/request_event_id': id })
  // One that a newer one superseded may be told to be cancelled, and nothing else.
  const superseded = event('session.update.done', { '/request_event_id': id, '/status': 'cancelled' })
  const answered = last ? [updated] : [updated, superseded]
  talk.claim('session-update.accepted-yields-updated', talk.eventually(answered, at), { given })
  talk.claim('session-update.accepted-yields-done', talk.eventually(done, at), { given })
  claimOnce(talk, id, { updated: talk.event(updated, at), done: talk.event(done, at) })
}

interface OneOfARow {
  readonly id: string
  readonly last: boolean
}

/** Both answers to an update named it. */
function namedBy({ updated, done, id }: Update): readonly Condition[] {
  return [equals(inEvent(updated, '/event_id'), value(id)), equals(inEvent(done, '/request_event_id'), value(id))]
}

/** `session.update.done` is not replayed to a connection that opens later. */
async function hearNothingAgain(talk: Talk, ids: readonly string[], given: ClaimOptions): Promise<void> {
  const done = event('session.update.done', { '/request_event_id': { $in: ids } })
  talk.claim('session-update-done.not-replayed', talk.never(done, talk.opened), given)
  talk.claim(
    'session-update-done.not-replayed',
    talk.never(event('session.update.done'), talk.opened, talk.coming),
    given,
  )
  await update(talk, { active_avatar_id: host })
}
