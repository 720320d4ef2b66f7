import { present, type JsonObject } from '#target/wire'
import {
  type Issue,
  WORLD_CHANNELS,
  type WorldChannel,
  type WorldReference,
  type WorldSession,
} from '#target/worlds/session'

/** What a payload is made from. */
export interface WorldScene {
  readonly session: WorldSession
  /** `wss://host:port` */
  readonly origin: string
  readonly paths: Readonly<Record<WorldChannel, string>>
  /** The descriptors that are shown. */
  readonly issue: Issue
  readonly mediaMs: number
  readonly usage: { readonly video: number; readonly audio: number }
  readonly appliedEvent: string | null | undefined
  readonly pendingEvent: string | null | undefined
}

/** One field of a payload; `undefined` leaves it out. */
export type WorldField = (scene: WorldScene) => unknown
export type WorldFields = Record<string, WorldField>

const timestamp = (ms: number): string => new Date(ms).toISOString()

const urlOf = ({ session, origin, paths }: WorldScene, channel: WorldChannel): string =>
  `${origin}${paths[channel]}?session_id=${encodeURIComponent(session.id)}`

/** "`control` and `media`: `url`, `client_secret`, `expires_at`" (2.11). */
const descriptors = (): WorldFields =>
  Object.fromEntries(
    WORLD_CHANNELS.map((channel) => [
      channel,
      (scene: WorldScene) => ({
        url: urlOf(scene, channel),
        client_secret: scene.issue[channel].secret,
        expires_at: timestamp(scene.issue[channel].expiresAt),
      }),
    ]),
  )

/** "Get Session never returns `client_secret` in `control` or `media`; it returns their `url` and `expires_at`." */
const knownDescriptors = (): WorldFields =>
  Object.fromEntries(
    WORLD_CHANNELS.map((channel) => [
      channel,
      (scene: WorldScene) => ({
        url: urlOf(scene, channel),
        expires_at: timestamp(scene.issue[channel].expiresAt),
      }),
    ]),
  )

/** 2.11: what Create Session and Get Session both show. */
const sharedFields = (): WorldFields => ({
  session_id: ({ session }) => session.id,
  status: ({ session }) => session.status,
  model: ({ session }) => session.plan.model,
  output: ({ session }) => session.plan.output,
  live_input: ({ session }) => session.plan.liveInput,
  continuation: ({ session: { plan } }) => ({ start_mode: plan.startMode, max_idle_ms: plan.maxIdleMs }),
  references: ({ session }) => session.plan.references.map(named),
  runtime: ({ session, mediaMs, appliedEvent, pendingEvent }) =>
    present({
      media_status: session.runtime.mediaStatus,
      media_time_ms: mediaMs,
      applied_world_event_id: appliedEvent,
      pending_world_event_id: pendingEvent,
    }),
  capabilities: ({ session }) => session.plan.capabilities,
  metadata: ({ session }) => session.plan.metadata,
  created_at: ({ session }) => timestamp(session.createdAt),
  expires_at: ({ session }) => timestamp(session.expiresAt),
})

/** "Returned as items carrying `name` only." */
const named = ({ name }: WorldReference): JsonObject => ({ name })

/** Payloads of the four operations, field by field. */
export const worldViews = () => ({
  created: { ...sharedFields(), ...descriptors() },
  /** What a create repeated with its idempotency key shows. */
  replayed: { ...sharedFields(), ...descriptors() },
  got: {
    ...sharedFields(),
    ...knownDescriptors(),
    last_sequence: ({ session }) => session.sequence,
    usage: ({ usage }) => ({ generated_video_ms: usage.video, generated_audio_ms: usage.audio }),
  } as WorldFields,
  secrets: { session_id: ({ session }) => session.id, ...descriptors() } as WorldFields,
  closed: {
    session_id: ({ session }) => session.id,
    status: ({ session }) => session.status,
  } as WorldFields,
})
