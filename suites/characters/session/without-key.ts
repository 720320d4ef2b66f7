import type { Recall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { isFull } from '#scenario/author/retry-transient'
import { ended, look, saysGoingOn } from '#scenario/author/session-ending'
import { acceptance } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import { ending } from '#judge/sessions/session-end'
import { answer, any, distinct } from '#trace/conditions'

const apart = 'characters.session.without-key-new-session'
const unsaved = 'characters.configuration.idempotency-key-not-saved'
const leftOpen = 'avatar-sessions.close.leaves-others-open'

interface Starts {
  readonly character_id: string
  readonly key: KeyName
  readonly recall: Recall
  /** Numbers of the two starts. */
  readonly one: number
  readonly other: number
}

/** Waits while the workspace is full, and asks again where the service failed, which the client doesn't do without a key. */
async function begin(
  c: Context,
  { character_id, key, recall }: Starts,
  exchange: number,
  release?: () => Promise<void>,
): Promise<OpenSession | undefined> {
  const call = { exchange, key, recall, body: { character_id } }
  for (let pause = 250; ; pause *= 2) {
    const received = await c.call('create-session-from-character', call)
    if (received.ok) return c.adopt(received, key)
    if (pause > 8_000 || (!isFull(received) && received.status < 500)) return undefined
    if (isFull(received)) await release?.()
    await c.wait(pause, isFull(received) ? 'quota' : 'backoff')
  }
}

/** Two starts without a key, which are the same but for nothing; open together where the workspace has room for both. */
export const startWithoutKeys = step([apart, unsaved, leftOpen], async (c, starts: Starts) => {
  const { one, other } = starts
  const ids = distinct(answer(one, '/data/session_id'), answer(other, '/data/session_id'))
  for (const number of [one, other]) c.expect(acceptance(apart), number)
  for (const row of [apart, unsaved] as const) c.claim(row, ids)
  const looks = [c.exchange(), c.exchange()] as const
  c.claim(leftOpen, any(...looks.map(saysGoingOn)), { given: [ids] })
  // The service may end one by itself (3.1): where it is over, that of another pair has to be, too.
  if (await leavesOpen(c, starts, looks[0])) return
  await leavesOpen(c, { ...starts, one: c.exchange(), other: c.exchange() }, looks[1])
})

/** Closes the first of two, and looks at the second. @returns whether it goes on, or there was none */
async function leavesOpen(c: Context, starts: Starts, exchange: number): Promise<boolean> {
  const first = await begin(c, starts, starts.one)
  let closing: Promise<unknown> | undefined
  const release = async (): Promise<void> => {
    if (first !== undefined) closing ??= c.close(first)
    await closing
  }
  const second = await begin(c, starts, starts.other, release)
  await release()
  if (second === undefined) return true
  const isOver = ended(await look(c, second, { exchange }), second, ending)
  if (second.id !== first?.id) await c.close(second)
  return !isOver
}
