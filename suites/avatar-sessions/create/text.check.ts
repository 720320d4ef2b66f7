import { keyOf } from '#scenario/author/key-of'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { textChat } from '../bodies.ts'
import { limitRefusals, shortestPieces } from './limit-refusals.ts'
import { sendLongest } from './longest.ts'
import { type Pack, type Piece, sendPack } from './pack.ts'
import { claimRefusal, type Refusal, sendRefusal } from './refusal.ts'
import { expectRefusal, tryCreate } from './send.ts'
import { firstTextPieces, secondTextPieces } from './text-pieces.ts'
import { textRefusals } from './text-refusals.ts'
import { seenInRichText } from './proves.ts'
import { vouched } from './video-pieces.ts'

/** Rows of the refusals and pieces, whatever the profile. */
const anyProfile = { base_url: '', keys: {} }
const rowsOf = (pieces: readonly Piece[], refusals: readonly Refusal[]): readonly RequirementId[] => [
  ...new Set([...pieces.flatMap(({ rows }) => rows), ...refusals.flatMap(({ rows, code = [] }) => [...rows, ...code])]),
]

/** All that a `text_chat` create may carry and must not carry, on one key, one session at a time. */
export const createText: Scenario = {
  id: 'avatar-sessions.create-text',
  proves: [
    ...rowsOf(
      [...firstTextPieces(anyProfile), ...secondTextPieces(anyProfile), ...shortestPieces],
      [...textRefusals(anyProfile), ...limitRefusals],
    ),
    'limits.disconnected-timeout.3600-accepted',
    'limits.disconnected-timeout.3601-rejected',
    'limits.interaction-idle-timeout.3600-accepted',
    'limits.interaction-idle-timeout.3601-rejected',
    'errors.envelope.body-not-object-rejected',
    ...seenInRichText,
  ],
  price: { requests: { rate_limited: 50 }, typical: 45, sessions: { primary: 1 } },
  async drive(context: Context) {
    const key = keyOf(context, 'rate_limited')
    const exchange = context.exchange()
    const session = await tryCreate(context, textChat(), { exchange, key })
    if (session === undefined) context.block('prerequisite', 'the minimal create was refused')
    await context.close(session)
    const packs = await sendPacks(context, key)
    const refusals = [...textRefusals(context.profile), ...limitRefusals].filter((one) => !triedInVideo(context, one))
    for (const refusal of refusals) await sendRefusal(context, refusal, groundOf(refusal, packs, exchange), key)
    await sendArray(context, key, exchange)
    await sendLongest(context, key)
  },
}

async function sendPacks(context: Context, key: KeyName): Promise<readonly Pack[]> {
  const { profile } = context
  const packs = [firstTextPieces(profile), secondTextPieces(profile), shortestPieces]
  const sent: Pack[] = []
  for (const pieces of packs) sent.push(await sendPack(context, { base: textChat(), pieces, key, search: 'primary' }))
  return sent
}

/** In a video session, where there is one that nothing stands in the way of. */
function triedInVideo(context: Context, { inVideo }: Refusal): boolean {
  return inVideo !== undefined && context.offers('video') && vouched(context.profile)
}

/** Audio without an address that the profile vouches for may be refused by a target that fetches it. */
function groundOf({ on }: Refusal, packs: readonly Pack[], minimal: number) {
  const pack = on === undefined ? undefined : packs.find(({ taken }) => taken.has(on))
  const twin = pack?.taken.get(on ?? '') ?? accepted(minimal)
  return { body: pack?.bodies.get(on ?? '') ?? textChat(), twin, soft: pack?.soft.has(on ?? '') === true }
}

/** A JSON body that is no object has no fields; this one holds a whole body. */
async function sendArray(context: Context, key: KeyName, minimal: number): Promise<void> {
  const exchange = context.exchange()
  claimRefusal(
    context,
    { rows: ['errors.envelope.body-not-object-rejected'] },
    { exchange, twin: accepted(minimal), soft: false },
  )
  const known_by = context.id('array')
  const body = [{ ...textChat(), avatars: [{ avatar_id: known_by }] }]
  const send = () => context.call('create-avatar-session', { body, exchange, key, recall: { known_by } })
  await expectRefusal(context, send, key)
}
