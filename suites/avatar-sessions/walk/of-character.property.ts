import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { textChat } from '#scenario/author/bodies'
import { listSessions } from '#scenario/author/look-for-sessions'
import { retryTransient } from '#scenario/author/retry-transient'
import { textAt } from '#trace/json'

/** Pairs of sessions of one character: one is closed, the other is looked at. A service may end one by itself, hence two. */
const pairs = 2

export async function sessionsOfCharacter(c: Context, key: KeyName, room: number): Promise<void> {
  if (room < 2) return
  const body = textChat({ name: c.id('walk'), auto_close: { disconnected_timeout_seconds: 0 } })
  const saved = await retryTransient(c, () => c.call('create-character', { body, key }))
  const character_id = textAt(saved.data, '/character_id')
  if (!saved.ok || character_id === undefined) return
  for (let count = 0; count < pairs; count += 1) {
    const [first, second] = await start(c, key, character_id)
    if (first === undefined || second === undefined) return
    if (count === 0) await listBoth(c, key, [first.id, second.id])
    await c.close(first)
    await c.call('get-avatar-session', { key, params: { session_id: second.id } })
    await c.close(second)
    if (count + 1 < pairs) await c.closed(second)
  }
}

async function listBoth(c: Context, key: KeyName, ids: readonly string[]): Promise<void> {
  await listSessions(c, (shown) => ids.every((id) => shown.has(id)), { key })
}

/** Each by a key of its own. The first waits for room. */
async function start(c: Context, key: KeyName, character_id: string): Promise<readonly OpenSession[]> {
  const operation = 'create-session-from-character'
  const first = await c.create({ character_id }, { key, operation })
  const answer = await c.call(operation, { key, body: { character_id, idempotency_key: c.id('walk') } })
  return answer.ok ? [first, c.adopt(answer, key)] : [first]
}
