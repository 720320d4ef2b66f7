import type { Condition, Point } from '#trace/claim'
import { absent, all, before, different, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, host, plain, textChat } from '../bodies.ts'
import { type Expect, forRows, given, onlyIf } from '../expectation.ts'
import { refusing } from '../refusals.ts'
import { type Row, rows } from '../rows.ts'
import { claiming, ofOneSession } from '../step.ts'
import type { Talk } from '../talk.ts'
import { activate, look, type Update, update, type Updated } from './updates.ts'

type OnceRow = 'session-update.updated-once' | 'session-update.done-once'

/** Neither answer comes twice, as long as the connection lasts. */
function expectOnce(talk: Talk<OnceRow>, id: string, { updated, done }: Pick<Update, 'updated' | 'done'>): void {
  const again = event('session.updated', { '/event_id': id })
  const doneAgain = event('session.update.done', { '/request_event_id': id })
  talk.expect({
    'session-update.updated-once': talk.never(again, { event: updated }),
    'session-update.done-once': talk.never(doneAgain, { event: done }),
  })
}

const everyUpdate = rows({
  'session-update': ['accepted-yields-updated accepted-yields-done undisturbed-completes updated-once done-once'],
  'session-updated': 'event-id-echoed',
  'session-update-done': 'request-event-id',
})

type UpdateRow = (typeof everyUpdate)[number]

/** Sends an update, with what every accepted one brings, whatever it changes. */
function change<R extends Row>(
  talk: Talk<R | UpdateRow>,
  session: JsonObject,
  expect: Expect<R, Update>,
): Promise<Updated> {
  return update<R | UpdateRow>(talk, session, (it) => {
    expectOnce(talk, it.id, it)
    const [updated, done] = [event('session.updated'), event('session.update.done')]
    talk.expect(expect(it) as ReturnType<Expect<R | UpdateRow, Update>>)
    const expected: ReturnType<Expect<UpdateRow, Update>> = {
      'session-update.accepted-yields-updated': it.confirmed,
      'session-update.accepted-yields-done': given(it.confirmed, it.settled),
      'session-updated.event-id-echoed': equals(inEvent(it.updated, '/event_id'), value(it.id)),
      'session-update-done.request-event-id': equals(inEvent(it.done, '/request_event_id'), value(it.id)),
      // One that is so late may have been given up, and another one sent: whether that took its place, a rule knows.
      'session-update.undisturbed-completes': onlyIf(
        before({ event: it.done }, { ...it.at, plus_ms: talk.context.timeouts.event_ms }),
        it.completes,
      ),
      'session-update.updated-once': talk.never(updated, { event: it.updated }, talk.after(1)),
      'session-update.done-once': talk.never(done, { event: it.done }, talk.after(1)),
    }
    return expected
  })
}

/** One change after the other, each of them seen by the next. */
const applyInTurn = claiming(
  {
    error: 'unasked-none',
    'session-update': [
      'active-avatar-applied mode-kept-when-omitted active-avatar-kept-when-omitted persists text-chat-mode-applied',
      'avatar-without-visual-in-text-chat',
    ],
  },
  everyUpdate,
).step(async (talk): Promise<readonly Updated[]> => {
  const first = await change(talk, { active_avatar_id: host }, (it) => {
    const unasked = talk.never(event('error', { '/error/event_id': it.id }), talk.opened)
    return {
      'error.unasked-none': given(it.confirmed, unasked),
      'session-update.active-avatar-applied': it.shows({ active_avatar_id: host }),
      'session-update.mode-kept-when-omitted': it.shows({ mode: 'text_chat' }),
    }
  })
  await look(talk, (it) => {
    const kept = onlyIf([first.confirmed, it.confirmed], it.shows({ active_avatar_id: host }))
    return { 'session-update.active-avatar-kept-when-omitted': kept, 'session-update.persists': kept }
  })
  const second = await change(talk, { mode: 'text_chat', active_avatar_id: guide }, (it) => ({
    'session-update.text-chat-mode-applied': it.shows({ mode: 'text_chat' }),
    'session-update.active-avatar-applied': it.shows({ active_avatar_id: guide }),
  }))
  const third = await change(talk, { active_avatar_id: plain }, (it) => ({
    'session-update.avatar-without-visual-in-text-chat': it.shows({ active_avatar_id: plain }),
  }))
  // The image is "nullable", and null is what it is in `text_chat`, whether the mode is named or not.
  const fourth = await change(talk, { active_avatar_id: host, source_image_id: null }, (it) => ({
    'session-update.mode-kept-when-omitted': it.shows({ mode: 'text_chat' }),
    'session-update.active-avatar-applied': it.shows({ active_avatar_id: host }),
  }))
  const fifth = await change(talk, { mode: 'text_chat', active_avatar_id: guide, source_image_id: null }, (it) => ({
    'session-update.text-chat-mode-applied': it.shows({ mode: 'text_chat' }),
    'session-update.active-avatar-applied': it.shows({ active_avatar_id: guide }),
  }))
  return [first, second, third, fourth, fifth]
})

/** Without an `event_id` the service gives one. Another avatar was active: what changes nothing may go without an answer. */
const applyUnnamed = claiming({
  message: 'event-id-optional',
  'session-updated': 'event-id-generated',
  'session-update': 'accepted-yields-done',
}).step(
  async (talk): Promise<Updated> =>
    update(
      talk,
      { active_avatar_id: host },
      {
        id: null,
        expect: (it) => {
          const own = inEvent(it.updated, '/event_id')
          return {
            'message.event-id-optional': it.shows({ active_avatar_id: host }),
            'session-updated.event-id-generated': all(different(own, absent), different(own, value(''))),
            'session-update.accepted-yields-done': given(it.confirmed, it.settled),
          }
        },
      },
    ),
)

/** Faults beside valid fields: the avatar stays `host`. */
const faultsIn = (nobody: string) =>
  [
    ['session-update.unknown-avatar-rejected', { active_avatar_id: nobody }],
    // An id is what the caller wrote: in capitals it is another one.
    ['session-update.unknown-avatar-rejected', { active_avatar_id: guide.toUpperCase() }],
    ['session-update.unknown-avatar-rejected', { mode: 'text_chat', active_avatar_id: nobody }],
    ['session-update.unknown-mode-rejected', { mode: 'audio_only' }],
    ['session-update.unknown-mode-rejected', { mode: 'audio_only', active_avatar_id: guide }],
    ['session-update.unknown-mode-rejected', { mode: 'Text_Chat', active_avatar_id: plain }],
  ] as const

const refuseFaults = claiming({
  'session-update': [
    'unknown-avatar-rejected unknown-mode-rejected invalid-answered-by-error invalid-no-updated invalid-no-done',
    'rejected-changes-nothing',
  ],
}).step(async (talk, control: Condition) => {
  for (const [row, session] of faultsIn(talk.context.id('avatar'))) {
    const id = talk.context.id('faulty-update')
    const [updated, done] = [{ '/event_id': id }, { '/request_event_id': id }]
    const { rejected } = await talk.fault({ type: 'session.update', event_id: id, session }, (it) => ({
      ...forRows(row, given(control, it.rejected)),
      'session-update.invalid-answered-by-error': given(control, it.rejected),
      'session-update.invalid-no-updated': given(control, talk.never(event('session.updated', updated), it.at)),
      'session-update.invalid-no-done': given(control, talk.never(event('session.update.done', done), it.at)),
    }))
    await look(talk, (it) => ({
      'session-update.rejected-changes-nothing': onlyIf(
        [control, rejected, it.confirmed],
        it.shows({ active_avatar_id: host, mode: 'text_chat' }),
      ),
    }))
  }
})

/** "Validation fails: `error` only" (3.5): an update that is refused takes nothing of the one before it, which is still on its way. */
const refuseBehindAnother = claiming({ 'session-update': 'undisturbed-completes' }).step(
  async (talk, control: Condition): Promise<void> => {
    const [id, faulty] = [talk.context.id('update'), talk.context.id('faulty-update')]
    const ended = event('session.update.done', { '/request_event_id': id })
    const [at, done] = [talk.coming, talk.event(ended, talk.coming)]
    const refused = talk.eventually(event('error', { '/error/event_id': faulty }), talk.after(1))
    talk.expect({
      'session-update.undisturbed-completes': onlyIf(
        [control, refused, before({ event: done }, { ...at, plus_ms: talk.context.timeouts.event_ms })],
        equals(inEvent(done, '/status'), value('completed')),
      ),
    })
    const sent = talk.send({ type: 'session.update', event_id: id, session: { active_avatar_id: guide } })
    const nobody = { active_avatar_id: talk.context.id('avatar') }
    const refusal = talk.send({ type: 'session.update', event_id: faulty, session: nobody })
    await talk.hearRefusal(faulty, refusal, [event('session.updated', { '/event_id': faulty })])
    await talk.hear(ended, sent)
  },
)

/**
 * Three updates at once; the state is that of the last. Nothing says that events which don't wait for each other are taken
 * up in the order in which they were sent: where an earlier one is acknowledged after it, that one may be the newest.
 *
 * @param named answers to an earlier update named it, without which those of several cannot be told apart
 */
const applyInARow = claiming({
  'session-update': 'newest-wins accepted-yields-updated accepted-yields-done updated-once done-once',
}).step(async (talk, named: readonly Condition[]): Promise<readonly string[]> => {
  const ids = [plain, host, guide].map((avatar) => ({ avatar, id: talk.context.id('update') }))
  for (const [place, { id }] of ids.entries()) {
    expectOneOfARow(talk, { id, last: place === ids.length - 1 }, talk.after(place), named)
  }
  const last = ids.at(-1)?.id ?? ''
  const updated = event('session.updated', { '/event_id': last })
  const applied = event('session.updated', { '/event_id': last, '/session/active_avatar_id': guide })
  const newest = talk.eventually(applied, talk.after(2))
  const earlier = event('session.updated', { '/event_id': { $in: ids.slice(0, -1).map(({ id }) => id) } })
  const acknowledgedLast = talk.never(earlier, { event: talk.event(updated, talk.after(2)) })
  talk.expect({ 'session-update.newest-wins': given(named, newest) })
  for (const { avatar, id } of ids) {
    talk.send({ type: 'session.update', event_id: id, session: { active_avatar_id: avatar } })
  }
  for (const { id } of ids) await talk.hear(event('session.update.done', { '/request_event_id': id }), 0)
  await talk.hear(updated, 0)
  await look(talk, (it) => ({
    'session-update.newest-wins': onlyIf(
      [newest, acknowledgedLast, it.confirmed],
      it.shows({ active_avatar_id: guide }),
    ),
  }))
  return ids.map(({ id }) => id)
})

type RowRow = OnceRow | 'session-update.accepted-yields-updated' | 'session-update.accepted-yields-done'

function expectOneOfARow(
  talk: Talk<RowRow>,
  { id, last }: { readonly id: string; readonly last: boolean },
  at: Point,
  named: readonly Condition[],
): void {
  const updated = event('session.updated', { '/event_id': id })
  const done = event('session.update.done', { '/request_event_id': id })
  // One that a newer one superseded may be told to be cancelled, and nothing else.
  const superseded = event('session.update.done', { '/request_event_id': id, '/status': 'cancelled' })
  const answered = last ? [updated] : [updated, superseded]
  talk.expect({
    'session-update.accepted-yields-updated': given(named, talk.eventually(answered, at)),
    'session-update.accepted-yields-done': given(named, talk.eventually(done, at)),
  })
  expectOnce(talk, id, { updated: talk.event(updated, at), done: talk.event(done, at) })
}

/** Both answers to an update named it. */
function namedBy({ updated, done, id }: Update): readonly Condition[] {
  return [equals(inEvent(updated, '/event_id'), value(id)), equals(inEvent(done, '/request_event_id'), value(id))]
}

/** `session.update.done` is not replayed to a connection that opens later. */
const hearNothingAgain = claiming({ 'session-update-done': 'not-replayed' }).step(
  async (talk, ids: readonly string[], settled: readonly Condition[]) => {
    const done = event('session.update.done', { '/request_event_id': { $in: ids } })
    talk.expect({
      'session-update-done.not-replayed': [
        given(settled, talk.never(done, talk.opened)),
        given(settled, talk.never(event('session.update.done'), talk.opened, talk.coming)),
      ],
    })
    await activate(talk, host)
  },
)

/** `session.update` and its two answers, in `text_chat`. */
export const sessionUpdate = ofOneSession({
  id: 'control-channel.session-update',
  steps: [applyInTurn, applyUnnamed, refuseFaults, refuseBehindAnother, applyInARow, hearNothingAgain, refusing],
  observes: rows({
    'session-updated': [
      'session-object mode-in-set active-avatar-id-string source-image-id-string-or-null',
      'source-image-null-in-text-chat active-avatar-known only-when-applied',
    ],
    'session-update-done': 'status-in-set reason-string',
  }),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const inTurn = await applyInTurn(talk)
    const unnamed = await applyUnnamed(talk)
    await refuseFaults(talk, unnamed.confirmed)
    await refuseBehindAnother(talk, unnamed.confirmed)
    const inARow = await applyInARow(talk, inTurn.flatMap(namedBy))
    await talk.channel.close()
    const again = await scene.connect(session)
    const settled = inTurn.map((one) => one.settled)
    await hearNothingAgain(again, [...inTurn.map(({ id }) => id), ...inARow], settled)
  },
})
