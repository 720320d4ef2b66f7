import { keyOf } from '#scenario/author/key-of'
import type { Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { rowsOfRefusals } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { textChat } from '#scenario/author/bodies'
import { limitRefusals, shortestPieces } from './limit-refusals.ts'
import { longestRows, sendLongest } from './longest.ts'
import { groundOf, type Pack, type Piece, sendPack } from './pack.ts'
import { type Faulty, sendRefusal, sendUnreadable } from './refusal.ts'
import { tryCreate } from './send.ts'
import { firstTextPieces, secondTextPieces } from './text-pieces.ts'
import { textRefusals } from './text-refusals.ts'
import { seenInRichText } from './proves.ts'
import { vouched } from './video-pieces.ts'

/** Whatever the profile. */
const anyProfile = { base_url: '', keys: {} }
const notAnObject = 'errors.envelope.body-not-object-rejected'

/** All that a `text_chat` create may carry and must not carry, on one key, one session at a time. */
export const createText = scenario({
  id: 'avatar-sessions.create-text',
  claims: [
    ...packsFor(anyProfile).flatMap((pieces) => pieces.flatMap(({ rows }) => rows)),
    ...rowsOfRefusals([...textRefusals(anyProfile), ...limitRefusals]),
    ...longestRows,
    notAnObject,
  ],
  observes: seenInRichText,
  price: { requests: { rate_limited: 50 }, typical: 45, sessions: { primary: 1 } },
  async drive(c) {
    const key = keyOf(c, 'rate_limited')
    const session = await tryCreate(c, textChat(), { key })
    if (session === undefined) return c.block('prerequisite', 'the minimal create was refused')
    await c.close(session)
    const control = accepted(session.exchange)
    const packs: Pack[] = []
    for (const pieces of packsFor(c.profile)) {
      packs.push(await sendPack(c, { base: textChat(), pieces, key, search: 'primary' }))
    }
    const refusals = [...textRefusals(c.profile), ...limitRefusals].filter((one) => !triedInVideo(c, one))
    for (const refusal of refusals) {
      await sendRefusal(c, refusal, groundOf(refusal, packs) ?? { body: textChat(), control }, key)
    }
    // A JSON body that is no object has no fields; this one holds a whole body.
    await sendUnreadable(c, { row: notAnObject, control, key }, (avatar_id) => ({
      body: [textChat({ avatars: [{ avatar_id }] })],
    }))
    await sendLongest(c, key)
  },
})

function packsFor(profile: Profile): readonly (readonly Piece[])[] {
  return [firstTextPieces(profile), secondTextPieces(profile), shortestPieces]
}

/** In a video session, where there is one that nothing stands in the way of. */
function triedInVideo(context: Context, { inVideo }: Faulty): boolean {
  return inVideo !== undefined && context.offers('video') && vouched(context.profile)
}
