import { isRequirementId, type RequirementId } from '#spec/register'
import type { Between } from '../names.ts'

type Subject = 'session' | 'status' | 'control' | 'media' | 'output' | 'live-input' | 'continuation' | 'references'
type Further = 'runtime' | 'capabilities' | 'metadata' | 'get' | 'client-secret' | 'close'

function rows<Of extends Subject | Further>(
  subject: Of,
  ...claims: readonly Between<`world-sessions.${Of}.`, ''>[]
): readonly RequirementId[] {
  return claims.map((claim: string) => `world-sessions.${subject}.${claim}`).filter(isRequirementId)
}

const descriptor = ['url-nonempty', 'client-secret-nonempty', 'expires-at-timestamp', 'expires-at-in-future'] as const
const fresh = ['url', 'secret', 'expires-at', 'expires-at-in-future', 'secret-fresh', 'secret-fresh-again'] as const

/** Rows that rules judge on every accepted create. */
export const seenOnCreate: readonly RequirementId[] = [
  ...rows('session', 'id-nonempty', 'id-unique', 'model-echoed', 'created-at-timestamp', 'expires-at-timestamp'),
  ...rows('session', 'expires-at-in-future', 'created-at-not-ahead'),
  ...rows('status', 'in-set-on-create'),
  ...rows('control', ...descriptor, 'url-path', 'secret-session-scoped', 'secret-other-than-api-key'),
  ...rows('media', ...descriptor, 'secret-session-scoped', 'secret-other-than-api-key'),
  ...rows('output', 'aspect-ratio-in-set', 'resolution-in-set', 'fps-positive', 'captions-boolean'),
  ...rows('output', 'aspect-ratio-default', 'captions-default'),
  ...rows('live-input', 'object-unasked', 'off-unasked'),
  ...rows('continuation', 'start-mode-in-set', 'start-mode-default'),
  ...rows('references', 'array-unasked'),
  ...rows('runtime', 'object', 'media-status-in-set', 'media-time-integer', 'applied-event-id', 'pending-event-id'),
  ...rows('capabilities', 'object', 'event-content-types', 'reference-content-types', 'event-handling'),
  ...rows('capabilities', 'live-audio-supported', 'live-audio-interpretation', 'runtime-references', 'event-cancel'),
  ...rows('capabilities', 'continuation-hold', 'continuation-resume', 'continuation-automatic'),
  ...rows('capabilities', 'reconnect-snapshot', 'reconnect-event-replay'),
  ...rows('capabilities', 'max-event-bytes', 'max-references', 'max-reference-images'),
]

/** Rows that rules judge on creates that carry much. */
export const seenOnLavishCreate: readonly RequirementId[] = [
  ...rows('output', 'aspect-ratio-effective', 'resolution-effective', 'captions-effective', 'captions-off-effective'),
  ...rows('output', 'resolution-default', 'partial-keeps-defaults'),
  ...rows('live-input', 'object', 'enabled-effective', 'disabled-effective', 'transcription-effective'),
  ...rows('live-input', 'language-effective'),
  ...rows('continuation', 'start-mode-effective', 'max-idle-integer', 'max-idle-not-raised'),
  ...rows('references', 'array', 'names-returned', 'name-only'),
  ...rows('metadata', 'returned', 'own-only', 'string-values'),
  ...rows('session', 'expires-at-within-request'),
]

/** Rows that rules judge on Get Session, wherever a session was created. */
export const seenOnGet: readonly RequirementId[] = [
  ...rows('status', 'in-set-on-get', 'provisioning-becomes-active', 'never-provisioning-again'),
  ...rows('get', 'names-session', 'no-client-secret', 'no-secret-value', 'runtime', 'capabilities'),
  ...rows('get', 'control-url', 'control-url-kept', 'control-expires-at', 'control-expires-at-kept'),
  ...rows('get', 'media-url', 'media-url-kept', 'media-expires-at', 'media-expires-at-kept'),
  ...rows('get', 'last-sequence', 'last-sequence-never-falls', 'usage-video', 'usage-audio', 'usage-never-falls'),
  ...rows('get', 'same-model', 'same-output', 'same-continuation', 'same-capabilities'),
  ...rows('get', 'same-created-at', 'same-expires-at'),
  ...rows('runtime', 'media-time-never-falls'),
  ...rows('continuation', 'manual-starts-held', 'manual-stays-held'),
]

/** Rows that rules judge on Get Session of a session that was created with much. */
export const seenOnLavishGet: readonly RequirementId[] = rows(
  'get',
  'same-live-input',
  'same-references',
  'same-metadata',
)

export const seenOnSecrets: readonly RequirementId[] = [
  ...rows('client-secret', 'names-session', 'control-url-path', 'expiry-not-sooner'),
  ...rows('client-secret', ...fresh.map((claim) => `control-${claim}` as const)),
  ...rows('client-secret', ...fresh.map((claim) => `media-${claim}` as const)),
]

export const seenOnClose: readonly RequirementId[] = rows(
  'close',
  'names-session',
  'status-in-set',
  'leaves-active',
  'reaches-closed',
  'never-active-again',
  'closed-is-final',
)
