import { present, type JsonObject } from '../wire.ts'
import type { Session } from '../sessions/session.ts'

/** One field of a payload, made from the session; `undefined` leaves it out. */
export type SessionField = (session: Session, control: ControlAddress) => unknown
export type SessionFields = Record<string, SessionField>

/** Where the control channel of this target listens. */
export interface ControlAddress {
  /** `wss://host:port` */
  origin: string
}

export const CONTROL_PATH = '/v1/realtime-avatar/control'

const timestamp = (ms: number): string => new Date(ms).toISOString()

/** 2.1 Avatar session, field by field. */
const createdFields = () => ({
  session_id: (session: Session): unknown => session.id,
  status: (session: Session): unknown => session.status,
  auto_close: (session: Session): unknown => ({
    disconnected_timeout_seconds: session.plan.autoClose.disconnectedSeconds,
    interaction_idle_timeout_seconds: session.plan.autoClose.idleSeconds,
  }),
  region: (session: Session): unknown => session.plan.region,
  /** `source_image_id` is "omitted in `text_chat`". */
  session: (session: Session): unknown =>
    present({
      mode: session.state.mode,
      active_avatar_id: session.state.activeAvatarId,
      source_image_id: session.state.sourceImageId ?? undefined,
    }),
  control: (session: Session, address: ControlAddress): unknown => ({
    url: `${address.origin}${CONTROL_PATH}?session_id=${encodeURIComponent(session.id)}`,
    client_secret: session.secret,
  }),
  output: (session: Session): unknown => session.plan.output,
  assets: (session: Session): unknown => session.plan.assets,
  conversation: (session: Session): unknown => session.plan.conversation,
  avatars: (session: Session): unknown => session.plan.avatars,
  delivery: (session: Session): unknown =>
    session.plan.state.mode === 'video_avatar' ? { media: session.media } : undefined,
  model: (session: Session): unknown => session.plan.model,
  expires_at: (session: Session): unknown => timestamp(session.expiresAt),
})

/** Payloads of Get, List and Close are not shown; these are this service's own. */
const knownFields = () => ({
  session_id: (session: Session): unknown => session.id,
  status: (session: Session): unknown => session.status,
  model: (session: Session): unknown => session.plan.model,
  created_at: (session: Session): unknown => timestamp(session.createdAt),
})

/** What Get repeats of the creation; the secret is not among it. */
const shownAgain = () => {
  const {
    control: _control,
    delivery: _delivery,
    session_id: _id,
    status: _status,
    model: _model,
    ...shown
  } = createdFields()
  return shown
}

export const views = () => ({
  created: createdFields() as SessionFields,
  /** What a create repeated with its idempotency key shows. */
  replayed: createdFields() as SessionFields,
  got: {
    ...knownFields(),
    ...shownAgain(),
    close_reason: (session: Session): unknown => session.closeReason,
  } as SessionFields,
  listed: knownFields() as SessionFields,
  closed: {
    session_id: (session: Session): unknown => session.id,
    status: (session: Session): unknown => session.status,
  } as SessionFields,
  list: (items: JsonObject[]): unknown => ({ sessions: items }),
  /** "List the workspace's open sessions", newest first. */
  lists: (session: Session): boolean => session.status === 'active' || session.status === 'closing',
  listOrder: (one: Session, other: Session): number => other.createdAt - one.createdAt,
})

export const draw = (fields: SessionFields, session: Session, address: ControlAddress): JsonObject =>
  present(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(session, address)])))
