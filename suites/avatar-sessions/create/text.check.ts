import { pickKey } from '#scenario/author/pick-key'
import type { Profile } from '#spec/profile'
import { rowsOfRefusals } from '#scenario/author/expectation'
import { eachRowOnce, type Optional, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { countsOnVideo, textChat } from '#scenario/author/bodies'
import { limitRefusals, shortestOptions } from './limit-refusals.ts'
import { longestRows, sendLongest } from './longest.ts'
import { bundlesWith, groundOf, type CreateBundle, type NamedBundles, sendCreateBundle } from './bundle.ts'
import { type Faulty, sendRefusal, sendUnreadable } from './refusal.ts'
import { tryCreate } from './send.ts'
import { firstTextOptions, secondTextOptions } from './text-options.ts'
import { textRefusals } from './text-refusals.ts'
import { seenInRichText, seenMoreOfInRichText } from './observed.ts'

/** Whatever the profile. */
const anyProfile = { base_url: '', keys: {} }
const notAnObject = 'errors.envelope.body-not-object-rejected'

/** All that a `text_chat` create may carry and must not carry, on one key, one session at a time. */
export const createText = scenario({
  id: 'avatar-sessions.create-text',
  claims: [
    ...Object.values(bundlesFor(anyProfile)).flatMap((options) => options.flatMap(({ rows }) => rows)),
    ...rowsOfRefusals([...textRefusals(anyProfile), ...limitRefusals]),
    ...longestRows,
    notAnObject,
  ],
  observes: [...seenInRichText, ...seenMoreOfInRichText],
  price: { requests: { rate_limited: 50 }, typical: 43, sessions: { primary: 1 } },
  optional: optionalWith(({ inVideo }) => inVideo === undefined),
  without_video: optionalWith(() => true),
  async drive(c) {
    const key = pickKey(c, 'rate_limited')
    const session = await tryCreate(c, textChat(), { key })
    if (session === undefined) return c.block('prerequisite', 'the minimal create was refused')
    await c.close(session)
    const control = accepted(session.exchange)
    const bundles: CreateBundle[] = []
    for (const [id, options] of Object.entries(bundlesFor(c.profile))) {
      if (c.takes(id)) bundles.push(await sendCreateBundle(c, { base: textChat(), options, key, search: 'primary' }))
    }
    const refusals = [...textRefusals(c.profile), ...limitRefusals].filter(
      ({ inVideo }) => inVideo === undefined || !countsOnVideo(c.profile),
    )
    for (const refusal of sentOf(c, refusals)) {
      await sendRefusal(c, refusal, groundOf(refusal, bundles) ?? { body: textChat(), control }, key)
    }
    // A JSON body that is no object has no fields; this one holds a whole body.
    if (!c.leavesOut(notAnObject)) {
      await sendUnreadable(c, { row: notAnObject, control, key }, (avatar_id) => ({
        body: [textChat({ avatars: [{ avatar_id }] })],
      }))
    }
    if (c.takes('longest')) await sendLongest(c, key)
  },
})

function bundlesFor(profile: Profile): NamedBundles {
  return { first: firstTextOptions(profile), second: secondTextOptions(profile), shortest: shortestOptions }
}

/** Refusals with an `inVideo` are tried in a video session, where one may be counted on. */
function optionalWith(isSent: (one: Faulty) => boolean): readonly Optional[] {
  const bundles = bundlesFor(anyProfile)
  const refusals = [...textRefusals(anyProfile), ...limitRefusals].filter(isSent)
  return eachRowOnce([
    ...refusalsNeeding(({ on }) => bundlesWith(on, bundles), refusals),
    { id: notAnObject, rows: [notAnObject], requests: 1 },
    { id: 'longest', rows: longestRows, requests: 6 },
    ...Object.entries(bundles).map(([id, options]) => ({
      id,
      rows: [...options.flatMap(({ rows }) => rows), ...seenInRichText],
      also: seenMoreOfInRichText,
      requests: 2,
    })),
  ])
}
