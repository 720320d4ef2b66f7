import type { Channel, Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { Point } from '#trace/claim'
import { before, event } from '#trace/conditions'
import { expectRefusedAfter } from './after-end.ts'
import { textChat } from '#scenario/author/bodies'
import { decides, saysEnding, saysOver, type Sight } from '#scenario/author/session-ending'
import { isSilent, sightOfEnd } from '#scenario/author/sessions/sight'
import { lookUntil } from './ending.ts'
import { type Start, startAt, waitUntil } from './timers.ts'

/** The shortest duration that section 8 allows. */
const seconds = 4

const expired = {
  query: 'control-channel.secret.refused-after-expiry',
  header: 'control-channel.secret.bearer-refused-after-expiry',
} as const

/** How long the first connection is listened to. */
const briefly_ms = 1_500

/** `Date` tells whole seconds only, and looks are some seconds apart. */
const clock_ms = 3_000

async function lookAtEnd(c: Context, session: OpenSession, start: Start): Promise<Exchange> {
  await waitUntil(c, start, seconds * 1_000 + 500)
  return lookUntil(c, session, c.timeouts.auto_close_grace_ms + clock_ms, ['closed', 'failed'])
}

/** The credential "cannot be refreshed" (5.3): whatever is sent, every second, a life ends when it ends. */
async function keepBusy(c: Context, channel: Channel, start: Start, until: AbortSignal): Promise<void> {
  for (let ms = 1_000; !until.aborted && channel.state === 'open'; ms += 1_000) {
    channel.send({ type: 'session.update', event_id: c.id('busy'), session: { mode: 'text_chat' } })
    await waitUntil(c, start, ms)
  }
}

/** The session is short: where the way is slow it ends before a second connection is open, and the first one shows that the secret admits. */
async function connectBriefly(c: Context, session: OpenSession): Promise<{ brief: Channel; wasHeard: boolean }> {
  const brief = await c.connect(session)
  const asked = c.id('brief')
  const { frame } = brief.send({ type: 'session.update', event_id: asked, session: { mode: 'text_chat' } })
  const updated = event('session.updated', { '/event_id': asked })
  const heard = await brief.next(updated, { after: frame, within_ms: briefly_ms })
  await brief.close()
  return { brief, wasHeard: heard !== undefined }
}

interface End {
  readonly control: Channel
  readonly last: Sight
  readonly limit: Point
  readonly start: Start
}

const disconnected = 'control-channel.session-closed.connections-disconnected-at-expiry'

/** The connection that was there is gone by then, and the secret opens no other one. */
const expectRefusedAfterEnd = step(
  [disconnected, ...Object.values(expired)],
  async (c, { session, channel }: { session: OpenSession; channel: Channel }, { last, limit, start, control }: End) => {
    const over = { onlyIf: [saysOver(last)] }
    c.claim(disconnected, before({ channel: channel.channel, edge: 'closed' }, limit), over)
    await expectRefusedAfter(c, session, { rows: expired, control, last })
    await waitUntil(c, start, seconds * 1_000 + c.timeouts.auto_close_grace_ms + 200)
    await channel.close()
  },
)

const ends = 'avatar-sessions.expiry.max-duration-ends-session'

export const expiry = scenario({
  id: 'avatar-sessions.expiry',
  tier: 'full',
  runs: 'long',
  price: { requests: { primary: 10 }, typical: 3, sessions: { primary: 1 }, waits: 20 },
  steps: [expectRefusedAfterEnd],
  claims: [ends],
  observes: ['avatar-sessions.expiry.expires-at-ends-session'],
  async drive(c) {
    const session = await c.create(textChat({ max_duration_seconds: seconds }))
    const start = startAt({ exchange: session.exchange, edge: 'answered' })
    // Neither a second connection nor what is sent over it stops the clock.
    const { brief, wasHeard } = await connectBriefly(c, session)
    const channel = await (wasHeard ? c.open(session) : c.connect(session))
    const control = wasHeard ? brief : channel
    const busy = new AbortController()
    const looks = lookAtEnd(c, session, start).finally(() => busy.abort())
    const [looked] = await Promise.all([looks, keepBusy(c, channel, start, busy.signal)])
    const limit = { ...start.point, plus_ms: seconds * 1_000 + c.timeouts.auto_close_grace_ms }
    if (isSilent(looked, session)) {
      // Where Get is silent, an opening tells: beside another connection it may be refused for being the second one.
      await waitUntil(c, start, limit.plus_ms + 200)
      await channel.close()
    }
    const last = await sightOfEnd(c, session, looked)
    c.expect(
      outcome(ends, () => saysEnding(last), { onlyIf: decides(last, limit) }),
      looked.exchange,
    )
    await expectRefusedAfterEnd(c, { session, channel }, { last, limit, start, control })
  },
})
