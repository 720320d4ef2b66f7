import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { textChat } from '#scenario/author/bodies'
import { lookTwice, twoLooks } from '#scenario/author/look-twice'
import { retryTransient } from '#scenario/author/retry-transient'
import { textAt } from '#trace/json'
import { words } from '../life/lives.ts'

/** Sessions of one character, as many as there is room for: one is closed, the others are looked at, and all end. */
export async function sessionsOfCharacter(c: Context, key: KeyName, most: number): Promise<void> {
  const body = textChat({ name: c.id('walk'), auto_close: { disconnected_timeout_seconds: 0 } })
  const saved = await retryTransient(c, () => c.call('create-character', { body, key }))
  const character_id = textAt(saved.data, '/character_id')
  if (!saved.ok || character_id === undefined) return
  const [first, ...others] = await start(c, key, { character_id, most })
  if (first === undefined) return
  const all = [first, ...others].map(({ id }) => id)
  const list = (exchange: number) => c.call('list-avatar-sessions', { key, exchange })
  await lookTwice(c, twoLooks(c), list, ({ ok, data }) => !ok || all.every((id) => words(data).has(id)))
  await c.close(first)
  for (const { id } of others) await c.call('get-avatar-session', { key, params: { session_id: id } })
  for (const one of others) await c.close(one)
  for (const one of [first, ...others]) await c.closed(one)
}

/** Each by a key of its own. The first waits for room. */
async function start(
  c: Context,
  key: KeyName,
  { character_id, most }: { readonly character_id: string; readonly most: number },
): Promise<readonly OpenSession[]> {
  const operation = 'create-session-from-character'
  const sessions = [await c.create({ character_id }, { key, operation })]
  while (sessions.length < most) {
    const answer = await c.call(operation, { key, body: { character_id, idempotency_key: c.id('walk') } })
    if (!answer.ok) return sessions
    sessions.push(c.adopt(answer, key))
  }
  return sessions
}
