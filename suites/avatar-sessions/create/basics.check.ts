import type { Profile } from '#spec/profile'
import { rowsOfRefusals } from '#scenario/author/expectation'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { sourceImage, textChat } from '#scenario/author/bodies'
import { sendMinimal, type Spare } from './minimal.ts'
import { type Faulty, sendRefusal, sendUnreadable } from './refusal.ts'
import { seenInText } from './observed.ts'

const row = 'avatar-sessions.create.minimal-text-chat-accepted'
const malformed = 'errors.envelope.malformed-json-rejected'

const refusals: readonly Faulty[] = [
  { rows: ['avatar-sessions.create.model-missing-rejected'], change: { drop: ['/model'] } },
  {
    rows: ['avatar-sessions.create.avatars-empty-rejected'],
    coded: ['errors.code-30004.avatars-empty'],
    change: { set: { '/avatars': [] } },
  },
  {
    // The timers are off, or they would exceed so short a session.
    rows: ['avatar-sessions.create.max-duration-zero-rejected', 'limits.max-duration.zero-rejected'],
    coded: ['errors.code-30004.duration-unsupported'],
    change: { set: { '/max_duration_seconds': 0, '/auto_close/disconnected_timeout_seconds': 0 } },
  },
]

/** The least create, and a few that no service may take. */
export const createBasics = scenario({
  id: 'avatar-sessions.create-basics',
  tier: 'smoke',
  claims: [
    row,
    malformed,
    ...sparesOf({ base_url: '', keys: {} }, true).flatMap(({ rows }) => rows),
    ...rowsOfRefusals(refusals),
  ],
  observes: seenInText,
  price: { requests: { primary: 6 }, sessions: { primary: 1 } },
  optional: [...optionalRefusals(refusals), { id: malformed, rows: [malformed], requests: 1 }],
  async drive(c) {
    const key = 'primary'
    const spares = sparesOf(c.profile, c.offers('lite_model'))
    const minimal = await sendMinimal(c, { body: textChat(), row, spares, key, mayBeRefused: false })
    if (minimal === undefined) return c.block('prerequisite', 'the minimal create was refused')
    await c.close(minimal.session)
    const control = accepted(minimal.exchange)
    for (const refusal of sentOf(c, refusals)) await sendRefusal(c, refusal, { body: textChat(), control }, key)
    // The whole minimal body but for its last brace, which a lenient parser might make up.
    if (c.leavesOut(malformed)) return
    await sendUnreadable(c, { row: malformed, control, key }, (avatar_id) => ({
      text: JSON.stringify(textChat({ avatars: [{ avatar_id }] })).slice(0, -1),
    }))
  },
})

function sparesOf(profile: Profile, lite: boolean): readonly Spare[] {
  return [
    {
      rows: ['avatar-sessions.create.disconnected-timeout-optional', 'limits.disconnected-timeout.omitted-accepted'],
      change: { set: { '/auto_close/disconnected_timeout_seconds': 0 } },
    },
    {
      rows: ['avatar-sessions.create.active-avatar-sole'],
      change: { set: { '/session/active_avatar_id': 'ada' } },
    },
    {
      rows: ['avatar-sessions.avatars.instructions-optional'],
      change: { set: { '/avatars/0/instructions': 'You are Ada.' } },
    },
    {
      rows: ['avatar-sessions.avatars.visual-unneeded-in-text-chat'],
      change: { set: { '/avatars/0/visual': { source_images: [sourceImage(profile, 'face')] } } },
    },
    {
      rows: ['avatar-sessions.create.model-stream-accepted'],
      ...(lite ? { change: { set: { '/model': 'svc-a1-stream-lite' } } } : {}),
    },
  ]
}
