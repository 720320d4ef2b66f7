import type { Channel, Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { Point } from '#trace/claim'
import { before } from '#trace/conditions'
import { expectRefusedAfter } from './after-end.ts'
import { textChat } from '#scenario/author/bodies'
import { decides, ended, look, saysEnding, saysOver, type Sight, tellsOfEnd } from '#scenario/author/session-ending'
import { ending } from '#judge/sessions/session-end'
import { isSilent, sightOfEnd } from '#scenario/author/sessions/sight'
import { lookUntil } from './ending.ts'
import { type Start, startAt, waitUntil } from './timers.ts'

/** The shortest duration that section 8 allows, and a longer one for where the way is so slow that it ends before all is asked. */
const durations = { short: 4, long: 15 } as const

/** How soon after the create all connections have to be open for the short duration to be long enough. */
const soon_ms = 1_500

const expired = {
  query: 'control-channel.secret.refused-after-expiry',
  header: 'control-channel.secret.bearer-refused-after-expiry',
} as const

/** `Date` tells whole seconds only, and looks are some seconds apart. */
const clock_ms = 3_000

interface Life {
  readonly session: OpenSession
  readonly seconds: number
  readonly start: Start
  readonly channel: Channel
}

/**
 * A session that ends by itself, and its second connection: neither that nor what is sent over it stops the clock. A longer
 * one stands in only where time has passed meanwhile, or the short one is over: whoever lets nobody in is not asked again.
 */
async function begin(c: Context): Promise<Life> {
  const short = await create(c, durations.short)
  const first = await c.open(short.session)
  const isLetIn = first.state === 'open'
  await first.close()
  const channel = await c.open(short.session)
  const isLate = performance.now() - short.start.at >= soon_ms
  if (isLetIn && channel.state === 'open' && !isLate) return { ...short, channel }
  await channel.close()
  const isOver =
    isLate || [first, channel].some(tellsOfEnd) || ended(await look(c, short.session), short.session, ending)
  if (!isOver) return { ...short, channel: await c.connect(short.session) }
  await c.close(short.session)
  const long = await create(c, durations.long)
  await (await c.connect(long.session)).close()
  return { ...long, channel: await c.connect(long.session) }
}

async function create(c: Context, seconds: number): Promise<Omit<Life, 'channel'>> {
  const session = await c.create(textChat({ max_duration_seconds: seconds }))
  return { session, seconds, start: startAt({ exchange: session.exchange, edge: 'answered' }) }
}

async function lookAtEnd(c: Context, { session, seconds, start }: Life): Promise<Exchange> {
  await waitUntil(c, start, seconds * 1_000 + 500)
  return lookUntil(c, session, c.timeouts.auto_close_grace_ms + clock_ms, ['closed', 'failed'])
}

/** The credential "cannot be refreshed" (5.3): whatever is sent, every second, a life ends when it ends. */
async function keepBusy(c: Context, { channel, start }: Life, until: AbortSignal): Promise<void> {
  for (let ms = 1_000; !until.aborted && channel.state === 'open'; ms += 1_000) {
    channel.send({ type: 'session.update', event_id: c.id('busy'), session: { mode: 'text_chat' } })
    await waitUntil(c, start, ms)
  }
}

interface End {
  readonly last: Sight
  readonly limit: Point
}

const disconnected = 'control-channel.session-closed.connections-disconnected-at-expiry'

/** The connection that was there is gone by then, and the secret opens no other one. */
const expectRefusedAfterEnd = step(
  [disconnected, ...Object.values(expired)],
  async (c, { session, channel, start, seconds }: Life, { last, limit }: End) => {
    const over = { onlyIf: [saysOver(last)] }
    c.claim(disconnected, before({ channel: channel.channel, edge: 'closed' }, limit), over)
    await expectRefusedAfter(c, session, { rows: expired, control: channel, last })
    await waitUntil(c, start, seconds * 1_000 + c.timeouts.auto_close_grace_ms + 200)
    await channel.close()
  },
)

const ends = 'avatar-sessions.expiry.max-duration-ends-session'

export const expiry = scenario({
  id: 'avatar-sessions.expiry',
  tier: 'full',
  runs: 'long',
  price: { requests: { primary: 12 }, typical: 3, sessions: { primary: 1 }, waits: 20 },
  steps: [expectRefusedAfterEnd],
  claims: [ends],
  observes: ['avatar-sessions.expiry.expires-at-ends-session'],
  async drive(c) {
    const life = await begin(c)
    const { session, seconds, start, channel } = life
    const busy = new AbortController()
    const looks = lookAtEnd(c, life).finally(() => busy.abort())
    const [looked] = await Promise.all([looks, keepBusy(c, life, busy.signal)])
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
    await expectRefusedAfterEnd(c, life, { last, limit })
  },
})
