import type { RequirementId } from '#spec/register'

type Part = 'create' | 'avatars' | 'assets' | 'conversation' | 'pipeline'
type Limit = 'max-duration' | 'disconnected-timeout' | 'interaction-idle-timeout' | 'temperature' | 'avatar-voice-speed'

/** Rows about what a create may carry and must not carry. */
export type CreateRow = Extract<
  RequirementId,
  | `avatar-sessions.${Part}.${string}`
  | `limits.${Limit}.${string}`
  | `errors.code-30004.${string}`
  | 'errors.envelope.malformed-json-rejected'
  | 'errors.envelope.body-not-object-rejected'
>
