import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { admissionMs } from '#judge/conditions/admission'
import { watchFactor } from '#judge/timing/timeouts'
import { outcome } from '#scenario/author/expectation'
import { any, before, event, eventually } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { expectRefusedOnceClosed } from '../life/after-end.ts'
import { textChat } from '#scenario/author/bodies'
import { look, onceMoreIfEnded, saysEnding, tells } from '#scenario/author/session-ending'
import { openAfterQuiet, openedAfterQuiet } from './quiet.ts'
import { type Shown, shown } from './shown.ts'
import {
  inForce,
  interact,
  max_duration_seconds,
  type Start,
  startAt,
  stillOpen,
  waitOut,
  waitUntil,
} from '../life/timers.ts'

/** The shortest interaction idle timeout (section 8). */
const seconds = 30
const idleAfter = (idle: JsonObject): JsonObject =>
  textChat({ max_duration_seconds, auto_close: { disconnected_timeout_seconds: 0, ...idle } })
const body = idleAfter({ interaction_idle_timeout_seconds: seconds })
const lasts = (session: OpenSession): number => inForce(session, 'idle', seconds)
const long = { tier: 'full', runs: 'long' } as const
const row = <Name extends string>(name: Name) => `avatar-sessions.auto-close.idle-${name}` as const

const silent = scenario({
  id: 'avatar-sessions.idle-silent',
  ...long,
  price: { requests: { primary: 17 }, typical: 5, sessions: { primary: 1 }, waits: 50 },
  steps: [expectRefusedOnceClosed],
  claims: [row('closes'), row('not-early')],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      // Beside another timeout, which would come later. Whether somebody is connected is nothing to this one.
      const both = { disconnected_timeout_seconds: 60, interaction_idle_timeout_seconds: seconds }
      const session = await c.create(textChat({ max_duration_seconds, auto_close: both }))
      // Nor is anything ever said: the timer waits for no first event. One that begins with the connection is a moment later.
      const start = startAt({ exchange: session.exchange })
      const channel = await round.connect(c, session)
      // So long that it was surely let in: what is refused once the session is closed is held against it.
      await channel.watch(admissionMs + 200)
      // Where the service lowers the other one ("Effective policy", 2.1), it must not run.
      if (inForce(session, 'disconnected', both.disconnected_timeout_seconds) > lasts(session)) await channel.close()
      const timer = { session, start, seconds: lasts(session) }
      await waitOut(c, { ...timer, closes: row('closes'), notBefore: [row('not-early')], round })
      await expectRefusedOnceClosed(c, session, channel)
    }),
})

const inText = (): Shown => ({ body, mode: 'text_chat' })

/** In video, where that is offered: the timer is the same. */
const inVideo = (c: Context): Shown => shown(c, body)

/** Something that is to be accepted; undefined where it was not. */
type Act = (c: Context, channel: Channel) => Promise<Start | undefined>

/** Sends what is to be accepted, and waits until it was. */
function asking(type: string, accepted: string, message: (c: Context) => JsonObject): Act {
  return async (c, channel) => {
    const frame = channel.nextFrame()
    channel.send({ type, event_id: c.id('asked'), ...message(c) }, frame)
    const start = startAt({ frame })
    const told = await channel.next(event(accepted), { after: frame, within_ms: c.timeouts.event_ms })
    return told === undefined ? undefined : start
  }
}

const speak = asking('response.create', 'response.created', () => ({
  response: { script: { vocal: { type: 'speech', text: 'Still here.' } } },
}))
const addText = asking('asset.add', 'asset.added', (c) => ({
  assets: { speech_text: [{ asset_id: c.id('text'), text: 'Still here.' }] },
}))
const addAvatar = asking('avatar.add', 'avatar.added', (c) => ({ avatars: [{ avatar_id: c.id('late') }] }))
const note = 'still-here'
const write = asking('conversation.item.create', 'conversation.item.created', () => ({
  item: { id: note, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Still here.' }] },
}))
const forget = asking('conversation.item.delete', 'conversation.item.deleted', () => ({ item_id: note }))

/**
 * Accepted events, of whatever kinds, each late in the time that the timer takes. One that is not accepted, or comes to a
 * session that has ended, is the last.
 */
function interrupted(id: string, acts: readonly Act[], make: (c: Context) => Shown = inText): Scenario {
  return scenario({
    id: `avatar-sessions.idle-interrupted-by-${id}`,
    ...long,
    price: { requests: { primary: 7 }, typical: 3, sessions: { primary: 1 }, waits: 29 + acts.length * 19 },
    claims: [row('reset-by-accepted-event')],
    drive: (c) =>
      onceMoreIfEnded(c, async (round) => {
        const { body: asked, mode } = make(c)
        const session = await c.create(asked)
        const channel = await round.connect(c, session)
        const until_ms = (lasts(session) - 1) * 1_000
        // Late enough that a timer which was not reset would have ended the session before what follows, and before the last look.
        const pause_ms = Math.max((seconds / 2 + 2) * 1_000, Math.min(20_000, c.timeouts.auto_close_grace_ms + 4_000))
        let reset = await interact(c, channel, mode)
        for (const [place, act] of acts.entries()) {
          await waitUntil(c, reset, pause_ms)
          const next = channel.state === 'open' ? await act(c, channel) : undefined
          if (next === undefined && place === 0 && channel.state === 'open')
            return c.block('prerequisite', 'what was sent was not accepted')
          if (next === undefined) break
          reset = next
        }
        const rows = row('reset-by-accepted-event')
        await stillOpen(c, session, reset, { ms: until_ms - 1_000, until_ms, rows, channel, round })
      }),
  })
}

/** Something that must not reset the timer happens five seconds before its end; the session ends all the same. */
function undisturbed(
  id: string,
  name: 'not-reset-by-ping' | 'not-reset-by-rejected-event',
  disturb: (c: Context, channel: Channel) => void,
  make: (c: Context) => Shown = inText,
): Scenario {
  return scenario({
    id: `avatar-sessions.${id}`,
    ...long,
    price: { requests: { primary: 9 }, typical: 4, sessions: { primary: 1 }, waits: 45 },
    claims: [row(name)],
    drive: (c) =>
      onceMoreIfEnded(c, async (round) => {
        const { body: asked, mode } = make(c)
        const session = await c.create(asked)
        const channel = await round.connect(c, session)
        const start = await interact(c, channel, mode)
        await waitUntil(c, start, lasts(session) * 1_000 - 5_000)
        disturb(c, channel)
        const timer = { session, start, seconds: lasts(session), channel }
        const again = (there: Channel) => disturb(c, there)
        await waitOut(c, { ...timer, closes: row(name), notBefore: [], disturb: again, round })
      }),
  })
}

const pinged = undisturbed('idle-pinged', 'not-reset-by-ping', (_, channel) => channel.ping(), inVideo)

const refused = undisturbed('idle-refused-event', 'not-reset-by-rejected-event', (c, channel) => {
  channel.send({ type: 'greenroom.unknown', event_id: c.id('refused') })
  // "At least one asset overall" (4.4).
  channel.send({ type: 'asset.add', event_id: c.id('refused'), assets: {} })
})

/** A long speech: where its events come long after the last event of ours, they must not have counted as interaction. */
const spoken = scenario({
  id: 'avatar-sessions.idle-during-speech',
  ...long,
  price: { requests: { primary: 10 }, typical: 3, sessions: { primary: 1 }, waits: 62 },
  claims: [row('not-reset-by-server-events')],
  async drive(c) {
    const session = await c.create(body)
    const channel = await c.connect(session)
    const frame = channel.nextFrame()
    const text = 'The timer counts what the client does. '.repeat(50).trim()
    channel.send(
      { type: 'response.create', event_id: c.id('speech'), response: { script: { vocal: { type: 'speech', text } } } },
      frame,
    )
    const start = startAt({ frame })
    const reset = lasts(session) * 1_000
    const ends = reset + c.timeouts.auto_close_grace_ms
    const sign = [event('response.output_text.delta'), event('response.done')]
    await waitUntil(c, start, ends - reset + 1_000)
    const lateEvent = channel.nextFrame()
    const found = await channel.next(sign, { after: lateEvent, within_ms: 3_000 })
    if (found === undefined)
      return c.block('model_choice', 'the speech was over too soon to tell the two readings apart')
    const closes = eventually(channel.channel, { frame }, event('session.closed'), ends / watchFactor)
    const late = before({ frame, plus_ms: ends - reset }, { frame: found.frame })
    const exchange = c.expect(
      outcome(
        row('not-reset-by-server-events'),
        (last) => any(closes, saysEnding(last)),
        (last) => ({ onlyIf: [tells(last), late] }),
      ),
    )
    await channel.next(event('session.closed'), { within_ms: Math.max(1, start.at + ends - performance.now()) })
    await look(c, session, { exchange })
  },
})

function switchedOff(id: string, name: 'zero-disables' | 'omitted-disables', idle: JsonObject): Scenario {
  return scenario({
    id: `avatar-sessions.${id}`,
    ...long,
    price: { requests: { primary: 8 }, typical: 3, sessions: { primary: 1 }, waits: 49 },
    claims: [row(name)],
    observes: openedAfterQuiet,
    drive: (c) =>
      onceMoreIfEnded(c, async (round) => {
        const session = await c.create(idleAfter(idle))
        const channel = await round.connect(c, session)
        const start = await interact(c, channel)
        const ms = seconds * 1_000 + c.timeouts.auto_close_grace_ms + 1_000
        await stillOpen(c, session, start, { ms, rows: row(name), channel, round })
        await channel.close()
        await openAfterQuiet(c, session)
      }),
  })
}

export const idle: readonly Scenario[] = [
  silent,
  interrupted('event', [interact, addText, addAvatar]),
  interrupted('response', [speak, write, forget], inVideo),
  pinged,
  refused,
  spoken,
  switchedOff('idle-off', 'zero-disables', { interaction_idle_timeout_seconds: 0 }),
  switchedOff('idle-omitted', 'omitted-disables', {}),
]
