import { pickKey } from '#scenario/author/pick-key'
import type { Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { rowsOfRefusals } from '#scenario/author/expectation'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { textChat } from '#scenario/author/bodies'
import { limitRefusals, shortestOptions } from './limit-refusals.ts'
import { longestRows, sendLongest } from './longest.ts'
import { groundOf, type CreateBundle, type CreateOption, sendCreateBundle } from './bundle.ts'
import { type Faulty, sendRefusal, sendUnreadable } from './refusal.ts'
import { tryCreate } from './send.ts'
import { firstTextOptions, secondTextOptions } from './text-options.ts'
import { textRefusals } from './text-refusals.ts'
import { seenInRichText } from './proves.ts'
import { vouched } from './video-options.ts'

/** Whatever the profile. */
const anyProfile = { base_url: '', keys: {} }
const notAnObject = 'errors.envelope.body-not-object-rejected'

/** All that a `text_chat` create may carry and must not carry, on one key, one session at a time. */
export const createText = scenario({
  id: 'avatar-sessions.create-text',
  claims: [
    ...bundlesFor(anyProfile).flatMap((options) => options.flatMap(({ rows }) => rows)),
    ...rowsOfRefusals([...textRefusals(anyProfile), ...limitRefusals]),
    ...longestRows,
    notAnObject,
  ],
  observes: seenInRichText,
  price: { requests: { rate_limited: 50 }, typical: 45, sessions: { primary: 1 } },
  optional: [
    ...optionalRefusals(
      textRefusals(anyProfile).filter(({ inVideo }) => inVideo === undefined),
      limitRefusals,
    ),
    { rows: [notAnObject], requests: 1 },
    { rows: longestRows, requests: 4 },
  ],
  async drive(c) {
    const key = pickKey(c, 'rate_limited')
    const session = await tryCreate(c, textChat(), { key })
    if (session === undefined) return c.block('prerequisite', 'the minimal create was refused')
    await c.close(session)
    const control = accepted(session.exchange)
    const bundles: CreateBundle[] = []
    for (const options of bundlesFor(c.profile)) {
      bundles.push(await sendCreateBundle(c, { base: textChat(), options, key, search: 'primary' }))
    }
    const refusals = [...textRefusals(c.profile), ...limitRefusals].filter((one) => !triedInVideo(c, one))
    for (const refusal of sentOf(c, refusals)) {
      await sendRefusal(c, refusal, groundOf(refusal, bundles) ?? { body: textChat(), control }, key)
    }
    // A JSON body that is no object has no fields; this one holds a whole body.
    if (!c.leavesOut(notAnObject)) {
      await sendUnreadable(c, { row: notAnObject, control, key }, (avatar_id) => ({
        body: [textChat({ avatars: [{ avatar_id }] })],
      }))
    }
    if (!longestRows.every((row) => c.leavesOut(row))) await sendLongest(c, key)
  },
})

function bundlesFor(profile: Profile): readonly (readonly CreateOption[])[] {
  return [firstTextOptions(profile), secondTextOptions(profile), shortestOptions]
}

/** In a video session, where there is one that nothing stands in the way of. */
function triedInVideo(context: Context, { inVideo }: Faulty): boolean {
  return inVideo !== undefined && context.offers('video') && vouched(context.profile)
}
