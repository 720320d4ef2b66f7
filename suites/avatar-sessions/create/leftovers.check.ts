import { keyOf } from '#scenario/author/key-of'
import { listedIds, listForm } from '#judge/listed-sessions'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { rejected } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat, videoAvatar } from '../bodies.ts'
import { type Change, changed } from '../change.ts'
import { expectRefusal, tryCreate } from './send.ts'
import { vouched } from './video-pieces.ts'

const row: RequirementId = 'avatar-sessions.create.refused-leaves-no-session'
/** Unknown sessions that are looked at. */
const most = 4

/** Faults that show only when the whole body has been read. */
const faults: readonly (Change & { readonly row: RequirementId })[] = [
  {
    row: 'avatar-sessions.assets.duplicate-within-array-rejected',
    set: { '/assets/visual_prompts/-': { asset_id: 'wave', prompt: 'Wave with the other hand.' } },
  },
  {
    row: 'avatar-sessions.create.auto-close-above-duration-rejected',
    set: { '/max_duration_seconds': 60, '/auto_close/interaction_idle_timeout_seconds': 61 },
  },
  {
    row: 'avatar-sessions.create.max-duration-too-short-rejected',
    set: { '/max_duration_seconds': 3, '/auto_close/disconnected_timeout_seconds': 0 },
  },
]

/** What List Sessions shows before and after creates that were refused, and an accepted one beside them. */
export const createLeftovers: Scenario = {
  id: 'avatar-sessions.create-leftovers',
  proves: [row, ...faults.map((fault) => fault.row), 'avatar-sessions.idempotency.retry-same-session'],
  runs: 'alone',
  price: { requests: { other_workspace: 10 + most }, typical: 10, sessions: { other_workspace: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'other_workspace')
    const before = await context.call('list-avatar-sessions', { key })
    const twin = context.exchange()
    const session = await tryCreate(context, guest(context, 'guest'), { exchange: twin, key })
    if (session === undefined) context.block('prerequisite', 'the minimal create was refused')
    const idempotency_key = context.id('create')
    for (const [place, fault] of faults.entries()) {
      const exchange = context.exchange()
      context.claim(fault.row, rejected(exchange, twin))
      const named = place === 0 ? idempotency_key : context.id('create')
      const body = { ...changed(guest(context, 'ghost'), fault), idempotency_key: named }
      await expectRefusal(context, () => context.attempt(body, { exchange, key }), key)
    }
    const after = await context.call('list-avatar-sessions', { key })
    const form = listForm(after.data, new Set([session.id]))
    const known = new Set([...listedIds(before.data, form), session.id])
    const fresh = [...listedIds(after.data, form)].filter((id) => !known.has(id))
    for (const id of fresh.slice(0, most)) {
      await context.call('get-avatar-session', { params: { session_id: id }, key })
    }
    await context.close(session)
    await useAgain(context, { ...guest(context, 'late'), idempotency_key }, key)
  },
}

/** Whether a key counts that came with a refused create is left open. If it makes a session after all, it makes one. */
async function useAgain(context: Context, body: JsonObject, key: KeyName): Promise<void> {
  const made = await context.attempt(body, { key })
  if (!made.ok) return
  const session = context.adopt(made, key)
  await context.attempt(body, { key, retry: 'never' })
  await context.close(session)
}

/**
 * A body whose avatar is known by an id that nobody else has; a second gesture may not have the id of the first. In video
 * where nothing stands in its way, since the same faults are tried in text elsewhere.
 */
function guest(context: Context, word: string) {
  const visual_prompts = [{ asset_id: 'wave', prompt: 'Wave once.' }]
  const video = context.offers('video') && vouched(context.profile)
  return changed(video ? videoAvatar(context.profile) : textChat(), {
    set: { '/avatars/0/avatar_id': context.id(word), '/assets': { visual_prompts } },
  })
}
