import { stateIn } from '#judge/sessions/session-end'
import { watchFactor } from '#judge/timing/timeouts'
import type { Context, OpenSession } from '#scenario/author/context'
import { tellsOfEnd } from '#scenario/author/session-ending'
import type { Condition } from '#trace/claim'
import { answer, any, before, different, equals, event, oneOf, sessionState, value } from '#trace/conditions'
import { host, prose, speech } from '../bodies.ts'
import { given } from '../expectation.ts'
import { start } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

const closedRows = rows({
  'session-closed': 'connections-disconnected session-really-ends',
  secret: 'refused-after-closed bearer-refused-after-closed',
})

/**
 * Closes a session under two open connections in the midst of a response: the connections end, and once the session is
 * `closed` its secret admits nobody.
 */
export const seeItClose = claiming({}, closedRows).sceneStep(
  async (scene, session: OpenSession, older: Talk<(typeof closedRows)[number]>): Promise<void> => {
    const { context } = scene
    const second = await scene.expectAdmitted(session)
    // A service may allow one connection at a time.
    const talk = second.channel.state === 'open' ? second : older
    await update(talk, { active_avatar_id: host }, { told: 'by-avatar' })
    await start(talk, speech(prose(2_400)))
    const asked = await context.close(session)
    const { last, over, failed } = await knowItClosed(context, session)
    const closed = [equals(answer(asked.exchange, '/code'), value(0)), over]
    const open = talk === older ? [older] : [older, talk]
    await Promise.all(open.map((one) => one.channel.watch(watchFactor * one.patience)))
    const now = context.mark('the session is closed')
    for (const one of open) {
      const gone = before({ channel: one.number, edge: 'closed' }, { mark: now })
      one.expect({ 'session-closed.connections-disconnected': given(closed, gone) })
    }
    // "Handle `failed`" (3.1): whether the secret opens what was not cleaned up is not said.
    const terms = { control: older.number, given: closed, choice: failed }
    await scene.expectRefused(session, ['secret.refused-after-closed'], terms)
    await scene.expectRefused(session, ['secret.bearer-refused-after-closed'], { ...terms, credential: 'header' })
    if (!tellsOfEnd(talk.channel)) return
    const told = talk.eventually(event('session.closed'), talk.opened)
    const active = different(sessionState(last), value('active'))
    talk.expect({ 'session-closed.session-really-ends': given(told, active) })
    await scene.expectRefused(session, ['session-closed.session-really-ends'], { ...terms, given: [told, ...closed] })
  },
)

interface Ended {
  /** Exchange of the last Get. */
  readonly last: number
  readonly over: Condition
  /** It came to `failed` in place of `closed`. */
  readonly failed: boolean
}

/**
 * Waits until the session is closed, and tells how one can know: Get Session shows `closed`, or does not find the
 * session, or, where it shows no status at all, List Sessions does not show it when the time for closing is over.
 */
async function knowItClosed(context: Context, session: OpenSession): Promise<Ended> {
  const call = { params: { session_id: session.id }, key: session.key }
  for (let pause = 200, waited = 0; ; pause = Math.min(pause * 2, 8_000)) {
    // Closing takes a moment: what asks at once asks twice.
    await context.wait(pause, 'backoff')
    waited += pause
    const got = await context.call('get-avatar-session', call)
    const shown = equals(sessionState(got.exchange), oneOf('closed', 'not found'))
    const state = got.ok ? stateIn(got.data, session.id) : undefined
    const failed = state === 'failed'
    const over = got.code === 20005 || state === 'closed' || failed
    // One that is seen to close may be late; where nothing is seen, the time that closing is given must do.
    const patience_ms = (state === 'closing' ? watchFactor : 1) * context.timeouts.closed_ms
    if (over || waited >= patience_ms) {
      const told = over || state !== undefined
      return { last: got.exchange, over: told ? shown : any(shown, await unlisted(context, session)), failed }
    }
  }
}

async function unlisted(context: Context, session: OpenSession): Promise<Condition> {
  const listed = await context.call('list-avatar-sessions', { key: session.key })
  return different(answer(listed.exchange, '/data/**'), value(session.id))
}
