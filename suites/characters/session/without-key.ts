import type { Recall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { isFull } from '#scenario/author/insist'
import { look, saysOpen } from '#scenario/author/session-ending'
import { accepted, answer, distinct } from '#trace/conditions'

const apart: RequirementId = 'characters.session.without-key-new-session'
const unsaved: RequirementId = 'characters.configuration.idempotency-key-not-saved'
const leftOpen: RequirementId = 'avatar-sessions.close.leaves-others-open'
export const rowsWithoutKey: readonly RequirementId[] = [apart, unsaved, leftOpen]

export interface Starts {
  readonly character_id: string
  readonly key: KeyName
  readonly recall: Recall
  /** Numbers of the two starts. */
  readonly one: number
  readonly other: number
}

/** Two starts without a key, which are the same but for nothing; open together where the workspace has room for both. */
export async function startWithoutKeys(c: Context, starts: Starts): Promise<void> {
  const { one, other } = starts
  const ids = [answer(one, '/data/session_id'), answer(other, '/data/session_id')] as const
  for (const condition of [accepted(one), accepted(other), distinct(...ids)]) c.claim(apart, condition)
  c.claim(unsaved, distinct(...ids))
  const first = await begin(c, starts, one)
  let closing: Promise<unknown> | undefined
  const release = async (): Promise<void> => {
    if (first !== undefined) closing ??= c.close(first)
    await closing
  }
  const second = await begin(c, starts, other, release)
  const get = c.exchange()
  for (const condition of saysOpen(get)) c.claim(leftOpen, condition, { given: [distinct(...ids)] })
  await release()
  if (second === undefined) return
  await look(c, second, { exchange: get })
  if (second.id !== first?.id) await c.close(second)
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
    const came = await c.call('create-session-from-character', call)
    if (came.ok) return c.adopt(came, key)
    if (pause > 8_000 || (!isFull(came) && came.status < 500)) return undefined
    if (isFull(came)) await release?.()
    await c.wait(pause, isFull(came) ? 'quota' : 'backoff')
  }
}
