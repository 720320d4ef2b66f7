import { isLimited } from '#client/http/retry'
import { workspaceOf } from '#spec/profile'
import { creationOf } from '../journal/creations.ts'
import type { JournalState, LostCreate } from '../journal/journal-state.ts'
import type { Found, LookBackTools } from './look-back-tools.ts'
import { madeBy } from './made.ts'
import { inTurn } from './sweep.ts'

const mostRefused = 12

/**
 * Where refused creates made sessions all the same: their idempotency keys name the world sessions, if they made such.
 * Keys of a target that makes a session of each repetition name none: what stays is told.
 */
export async function refusedWorlds({ refused }: JournalState, strays: readonly Found[], tools: LookBackTools) {
  const keys = new Set(strays.map(({ key }) => key))
  const creates = [...keys].flatMap((workspace) =>
    refused
      .filter(({ resource, key }) => resource === 'world-session' && key !== 'none' && workspaceOf(key) === workspace)
      .slice(-mostRefused),
  )
  const found: Found[] = []
  let repeats: Promise<boolean> | undefined
  const unheard = await inTurn(creates, tools.deadline, async (create) => {
    const made = await sendAgain(create, tools)
    if (made === 'limited')
      return { reason: 'its create was refused, as others were that made a session', again: false }
    found.push(...made)
    if (made.length === 0) return undefined
    repeats ??= makesMore(create, made, found, tools)
    const reason =
      'its create was refused, as others were that made a session, and its idempotency key does not name it'
    return (await repeats) ? { reason, again: false } : undefined
  })
  const leaked = unheard.map(([{ resource }, { reason }]) => ({ resource, id: 'unknown', reason }))
  return { found, leaked }
}

/** Whether the same create with the same key makes another session each time. */
async function makesMore(create: LostCreate, before: readonly Found[], found: Found[], tools: LookBackTools) {
  const made = await sendAgain(create, tools)
  const more = made === 'limited' ? [] : made.filter(({ id }) => before.every((one) => one.id !== id))
  found.push(...more)
  return more.length > 0
}

/** What a create with its idempotency key makes, or made before. */
async function sendAgain({ create, operation, key, body = {} }: LostCreate, tools: LookBackTools) {
  const creation = creationOf(operation)
  if (creation === undefined || key === 'none' || !tools.keys.includes(key)) return []
  const answer = await tools.look(operation, { body, key })
  if (isLimited(answer)) return 'limited'
  const made = madeBy(creation, answer)
  const ids = typeof made === 'string' ? [] : made
  for (const id of ids) tools.journal.resume(create).created(id)
  return ids.map((id): Found => ({ resource: 'world-session', id, key }))
}
