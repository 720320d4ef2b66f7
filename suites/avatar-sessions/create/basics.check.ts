import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { sourceImage, textChat } from '../bodies.ts'
import { sendMinimal, type Spare } from './minimal.ts'
import { claimRefusal, type Refusal, sendRefusal } from './refusal.ts'
import { expectRefusal } from './send.ts'
import { seenInText } from './proves.ts'

const row: RequirementId = 'avatar-sessions.create.minimal-text-chat-accepted'
const malformed: RequirementId = 'errors.envelope.malformed-json-rejected'

const refusals: readonly Refusal[] = [
  { rows: ['avatar-sessions.create.model-missing-rejected'], change: { drop: ['/model'] } },
  {
    rows: ['avatar-sessions.create.avatars-empty-rejected'],
    code: ['errors.code-30004.avatars-empty'],
    change: { set: { '/avatars': [] } },
  },
  {
    // The timers are off, or they would exceed so short a session.
    rows: ['avatar-sessions.create.max-duration-zero-rejected', 'limits.max-duration.zero-rejected'],
    code: ['errors.code-30004.duration-unsupported'],
    change: { set: { '/max_duration_seconds': 0, '/auto_close/disconnected_timeout_seconds': 0 } },
  },
]

/** The least create, and a few that no service may take. */
export const createBasics: Scenario = {
  id: 'avatar-sessions.create-basics',
  tier: 'smoke',
  proves: [
    row,
    malformed,
    ...sparesOf({ base_url: '', keys: {} }, true).flatMap(({ rows }) => rows),
    ...refusals.flatMap(({ rows, code = [] }) => [...rows, ...code]),
    ...seenInText,
  ],
  price: { requests: { primary: 6 }, sessions: { primary: 1 } },
  async drive(context: Context) {
    const lite = context.offers('lite_model')
    const minimal = await sendMinimal(context, {
      body: textChat(),
      row,
      spares: sparesOf(context.profile, lite),
      key: 'primary',
      soft: false,
    })
    if (minimal === undefined) context.block('prerequisite', 'the minimal create was refused')
    await context.close(minimal.session)
    const ground = { body: textChat(), twin: accepted(minimal.exchange) }
    for (const refusal of refusals) await sendRefusal(context, refusal, ground, 'primary')
    await sendMalformed(context, minimal.exchange)
  },
}

function sparesOf(profile: Context['profile'], lite: boolean): readonly Spare[] {
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

/** The whole minimal body but for its last brace, which a lenient parser might make up. */
async function sendMalformed(context: Context, minimal: number): Promise<void> {
  const exchange = context.exchange()
  claimRefusal(context, { rows: [malformed] }, { exchange, twin: accepted(minimal), soft: false })
  const known_by = context.id('malformed')
  const text = JSON.stringify({ ...textChat(), avatars: [{ avatar_id: known_by }] }).slice(0, -1)
  await expectRefusal(
    context,
    () => context.call('create-avatar-session', { text, exchange, key: 'primary', recall: { known_by } }),
    'primary',
  )
}
