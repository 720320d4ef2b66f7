import type { Channel, Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { admitted, refused } from '#trace/conditions'
import { words } from '#trace/json'
import { expectRefusedOnceClosed } from '../life/after-end.ts'
import { textChat } from '#scenario/author/bodies'
import { listWithout } from '#scenario/author/look-for-sessions'
import { look, onceMoreIfEnded, saysGoingOn } from '#scenario/author/session-ending'
import { sightOfLife } from '#scenario/author/sessions/sight'
import { watchRefusal } from '#scenario/author/watch-refusal'
import { openAfterQuiet, openedAfterQuiet } from './quiet.ts'
import { shown } from './shown.ts'
import {
  inForce,
  interact,
  max_duration_seconds,
  type RefusedOpening,
  startAt,
  stillOpen,
  waitOut,
  waitUntil,
} from '../life/timers.ts'

/** The shortest disconnected timeout (section 8). */
const seconds = 10
const body = textChat({
  auto_close: { disconnected_timeout_seconds: seconds, interaction_idle_timeout_seconds: 0 },
})
const lasts = (session: OpenSession): number => inForce(session, 'disconnected', seconds)
const long = { tier: 'full', runs: 'long' } as const
const row = <Name extends string>(name: Name) => `avatar-sessions.auto-close.disconnected-${name}` as const

const neverConnected = scenario({
  id: 'avatar-sessions.disconnected-never-connected',
  ...long,
  price: { requests: { primary: 18 }, typical: 6, sessions: { primary: 1 }, waits: 25 },
  claims: [row('never-connected'), row('never-connected-counts'), row('not-early')],
  observes: ['avatar-sessions.list.hides-closed-sessions'],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      // Beside another timeout, which would come later.
      const both = { disconnected_timeout_seconds: seconds, interaction_idle_timeout_seconds: 60 }
      const session = await c.create(textChat({ max_duration_seconds, auto_close: both }))
      const start = startAt({ exchange: session.exchange })
      const closes = [row('never-connected'), row('never-connected-counts')]
      await waitOut(c, { session, start, seconds: lasts(session), closes, notBefore: [row('not-early')], round })
      await c.closed(session)
      await unlist(c, session)
    }),
})

/** One that ended by itself may be listed until it is closed (4.1), but not for long after that. */
async function unlist(c: Context, session: OpenSession): Promise<void> {
  const isListed = ({ ok, data }: Exchange): boolean => ok && words(data).has(session.id)
  if (!isListed(await listWithout(c, session))) return
  await c.close(session)
  await c.closed(session)
  if (!isListed(await listWithout(c, session))) return
  await c.wait(c.timeouts.closed_ms, 'backoff')
  await c.call('list-avatar-sessions')
}

const afterConnection = scenario({
  id: 'avatar-sessions.disconnected-after-connection',
  ...long,
  price: { requests: { primary: 19 }, typical: 6, sessions: { primary: 1 }, waits: 45 },
  steps: [expectRefusedOnceClosed],
  claims: [row('held-by-connection'), row('after-last-connection'), row('restarts-after-connection'), row('not-early')],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const { body: asked, mode } = shown(c, body)
      const session = await c.create(asked)
      let latest = startAt({ exchange: session.exchange })
      // The end of a connection starts the timeout, and the next one stops it again, however often that happens.
      for (let times = 0; times < 2; times += 1) {
        const brief = await round.connect(c, session)
        await interact(c, brief, mode)
        await brief.close()
        if (brief.state === 'closed') latest = startAt({ channel: brief.channel, edge: 'closed' })
      }
      const channel = await round.connect(c, session)
      await stillOpen(c, session, latest, {
        ms: (seconds + 2) * 1_000,
        rows: row('held-by-connection'),
        channel,
        round,
      })
      // From here on, for the service may know of the end before we do.
      const start = startAt({ mark: c.mark('the last connection is about to end') })
      await channel.close()
      const refusedOpening = await openRefused(c, session, channel)
      const notBefore = [row('restarts-after-connection'), row('not-early')]
      await waitOut(c, {
        session,
        start,
        seconds: lasts(session),
        refusedOpening,
        closes: row('after-last-connection'),
        notBefore,
        round,
      })
      await expectRefusedOnceClosed(c, session, channel)
    }),
})

/** A connection that was refused is none: it doesn't stop the timeout. */
async function openRefused(c: Context, session: OpenSession, positiveControl: Channel): Promise<RefusedOpening> {
  const channel = c.channelNumber()
  const refusedChannel = await c.open(session, { channel, secret: c.id('never-issued-secret'), expects_refusal: true })
  await watchRefusal(c, refusedChannel)
  await refusedChannel.close()
  return {
    refused: refused(channel, positiveControl.channel),
    over: startAt({ mark: c.mark('an opening was refused') }),
  }
}

const secondConnection = scenario({
  id: 'avatar-sessions.disconnected-second-connection',
  ...long,
  price: { requests: { primary: 7 }, typical: 3, sessions: { primary: 1 }, waits: 13 },
  claims: [row('held-by-second-connection')],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const session = await c.create(body)
      const [stays, goes] = [await round.connect(c, session), await round.connect(c, session)]
      if (goes.state === 'refused') return c.block('model_choice', 'a second connection is refused')
      await interact(c, goes)
      await goes.close()
      const start = startAt({ channel: goes.channel, edge: 'closed' })
      if (stays.state !== 'open') return c.block('model_choice', 'a second connection ends the first one')
      await waitUntil(c, start, (seconds + 2) * 1_000)
      const looked = await look(c, session)
      const life = await sightOfLife(c, session, looked, stays)
      const terms = { onlyIf: [admitted(stays.channel)] }
      const conditions = [saysGoingOn(looked.exchange), ...(life === undefined ? [] : [life.condition])]
      const claims = conditions.map((condition) => ({ condition, terms }))
      round.goesOn(c, { session, rows: row('held-by-second-connection'), claims, looked, isTold: life?.isOver })
    }),
})

const switchedOff = scenario({
  id: 'avatar-sessions.disconnected-off',
  ...long,
  price: { requests: { primary: 8 }, typical: 3, sessions: { primary: 1 }, waits: 29 },
  claims: [row('zero-disables')],
  observes: openedAfterQuiet,
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const off = { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 }
      const session = await c.create(textChat({ auto_close: off }))
      const start = startAt({ exchange: session.exchange })
      const ms = seconds * 1_000 + c.timeouts.auto_close_grace_ms + 1_000
      await stillOpen(c, session, start, { ms, rows: row('zero-disables'), round })
      await openAfterQuiet(c, session)
    }),
})

export const disconnected: readonly Scenario[] = [neverConnected, afterConnection, secondConnection, switchedOff]
