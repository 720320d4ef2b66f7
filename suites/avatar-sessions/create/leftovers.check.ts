import { pickKey } from '#scenario/author/pick-key'
import { listedIds, listForm } from '#judge/sessions/listed-sessions'
import type { KeyName } from '#spec/profile'
import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { eachRowOnce } from '#scenario/author/optional'
import { type Refusal, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import type { JsonObject } from '#trace/json'
import { countsOnVideo, textChat, videoAvatar } from '#scenario/author/bodies'
import { type Change, changed } from '../change.ts'
import type { CreateRow } from './rows.ts'
import { expectRefusal, repeatCreate, tryCreate } from './send.ts'

/** Unknown sessions that are looked at. */
const most = 4

/** Faults that show only when the whole body has been read. */
const faults = [
  {
    id: 'duplicate',
    rows: ['avatar-sessions.assets.duplicate-within-array-rejected'],
    set: { '/assets/visual_prompts/-': { asset_id: 'wave', prompt: 'Wave with the other hand.' } },
  },
  {
    id: 'idle',
    rows: [
      'avatar-sessions.create.auto-close-above-duration-rejected',
      'limits.interaction-idle-timeout.above-duration-rejected',
    ],
    coded: ['errors.code-30004.idle-timeout-above-duration'],
    // Beside the other timeout, which is right.
    set: {
      '/max_duration_seconds': 60,
      '/auto_close': { disconnected_timeout_seconds: 30, interaction_idle_timeout_seconds: 61 },
    },
  },
  {
    id: 'duration',
    rows: ['avatar-sessions.create.max-duration-too-short-rejected', 'limits.max-duration.three-rejected'],
    coded: ['errors.code-30004.duration-unsupported'],
    set: { '/max_duration_seconds': 3, '/auto_close/disconnected_timeout_seconds': 0 },
  },
] as const satisfies readonly (Change & Refusal<CreateRow> & { readonly id: string })[]

const leavesNone = 'avatar-sessions.create.refused-leaves-no-session'
const sameSession = 'avatar-sessions.idempotency.retry-same-session'

/** What is left of it without all of these: a session that is made and closed. */
const optional = eachRowOnce([
  ...faults.map(({ id, rows, ...code }) => ({
    id,
    rows: [...rows, ...('coded' in code ? code.coded : [])],
    requests: 1,
  })),
  { id: 'lists', rows: [leavesNone], requests: 2, needs: faults.map(({ id }) => id) },
  { id: 'again', rows: [sameSession], requests: 3, needs: ['duplicate'] },
])

/** What List Sessions shows before and after creates that were refused, and an accepted one beside them. */
export const createLeftovers = scenario({
  id: 'avatar-sessions.create-leftovers',
  claims: rowsOfRefusals(faults),
  observes: [leavesNone, sameSession],
  runs: 'alone',
  price: { requests: { other_workspace: 10 + most }, typical: 10, sessions: { other_workspace: 1 } },
  optional,
  async drive(c) {
    const key = pickKey(c, 'other_workspace')
    const before = c.takes('lists') ? await c.call('list-avatar-sessions', { key }) : undefined
    const session = await tryCreate(c, guest(c, 'guest'), { key })
    if (session === undefined) return c.block('prerequisite', 'the minimal create was refused')
    const idempotency_key = c.id('create')
    for (const { id, rows, set, ...code } of faults) {
      if (!c.takes(id)) continue
      const exchange = c.expect(rejection({ codes: [30004], ...code, rows, control: session.exchange }))
      const named = id === 'duplicate' ? idempotency_key : c.id('create')
      const body = { ...changed(guest(c, 'ghost'), { set }), idempotency_key: named }
      await expectRefusal(c, () => c.attempt(body, { exchange, key }), key)
    }
    if (before !== undefined) await lookForOthers(c, { key, before, session })
    await c.close(session)
    if (c.takes('again')) await useAgain(c, { ...guest(c, 'late'), idempotency_key }, key)
  },
})

interface Guests {
  readonly key: KeyName
  /** The list before the first create. */
  readonly before: Exchange
  readonly session: OpenSession
}

/** Sessions that were not there before: what they are, Get tells. */
async function lookForOthers(c: Context, { key, before, session }: Guests): Promise<void> {
  const after = await c.call('list-avatar-sessions', { key })
  const form = listForm(after.data, new Set([session.id]))
  const known = new Set([...listedIds(before.data, form), session.id])
  const fresh = [...listedIds(after.data, form)].filter((id) => !known.has(id))
  for (const id of fresh.slice(0, most)) {
    await c.call('get-avatar-session', { params: { session_id: id }, key })
  }
}

/** Whether a key counts that came with a refused create is left open. If it makes a session after all, it makes one. */
async function useAgain(context: Context, body: JsonObject, key: KeyName): Promise<void> {
  const made = await context.attempt(body, { key })
  if (!made.ok) return
  const session = context.adopt(made, key)
  await repeatCreate(context, body, session)
  await context.close(session)
}

/**
 * A body whose avatar is known by an id that nobody else has; a second gesture may not have the id of the first. In video
 * where nothing stands in its way, since the same faults are tried in text elsewhere.
 */
function guest(context: Context, word: string) {
  const visual_prompts = [{ asset_id: 'wave', prompt: 'Wave once.' }]
  const video = countsOnVideo(context.profile)
  return changed(video ? videoAvatar(context.profile) : textChat(), {
    set: { '/avatars/0/avatar_id': context.id(word), '/assets': { visual_prompts } },
  })
}
