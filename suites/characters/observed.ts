import type { RequirementId } from '#spec/register'

/** Rows that rules judge by what every save of a `text_chat` character and every session from it shows. */
export const seenInSaves = [
  'characters.character.shape',
  'characters.character.id-nonempty',
  'characters.character.id-prefix',
  'characters.character.id-unique',
  'characters.character.name-string',
  'characters.character.name-echoed',
  'characters.character.created-at-format',
  'characters.character.updated-at-format',
  'characters.character.created-at-utc',
  'characters.character.updated-at-utc',
  'characters.character.updated-at-not-before-created-at',
  'characters.configuration.model-echoed',
  'characters.configuration.mode-echoed',
  'characters.configuration.avatars-echoed',
  'characters.create.starts-no-session',
] as const satisfies readonly RequirementId[]

export const seenInStarts = [
  'characters.session.response-shape',
  'characters.session.mode-saved',
  'characters.session.model-saved',
  'characters.session.avatars-saved',
] as const satisfies readonly RequirementId[]

/** Rows that only a replace shows. */
export const seenInEdit = [
  'characters.replace.idempotency-key-not-saved',
  'characters.character.created-at-kept-by-replace',
  'characters.character.updated-at-moved-by-replace',
  'characters.replace.id-kept',
  'characters.replace.name-replaced',
  'characters.replace.returns-written',
  'characters.replace.stored',
  'characters.replace.max-duration-gone',
  'characters.replace.auto-close-gone',
  'characters.replace.nested-gone',
  'characters.replace.avatars-gone',
  'characters.replace.avatar-members-gone',
] as const satisfies readonly RequirementId[]

/** Rows that only a session after a replace shows. */
export const seenLater = [
  'characters.replace.omitted-gone-from-sessions',
  'characters.session.edit-applies-later',
  'characters.session.auto-close-applies-later',
  'characters.session.idle-timeout-omitted-zero',
] as const satisfies readonly RequirementId[]

/** Rows that only a rich character shows. */
export const seenInLife = [
  ...seenInSaves,
  ...seenInStarts,
  ...seenInEdit,
  ...seenLater,
  'characters.configuration.active-avatar-id-echoed',
  'characters.configuration.avatar-instructions-echoed',
  'characters.configuration.avatars-own-only',
  'characters.configuration.conversation-instructions-echoed',
  'characters.configuration.tools-echoed',
  'characters.configuration.response-defaults-echoed',
  'characters.configuration.turn-detection-echoed',
  'characters.configuration.transcription-echoed',
  'characters.configuration.max-duration-echoed',
  'characters.configuration.disconnected-timeout-echoed',
  'characters.configuration.idle-timeout-echoed',
  'characters.configuration.idempotency-key-not-saved',
  'characters.create.returned-by-get',
  'characters.get.own-character-found',
  'characters.get.names-character',
  'characters.session.active-avatar-saved',
  'characters.session.avatar-instructions-saved',
  'characters.session.conversation-instructions-saved',
  'characters.session.tools-saved',
  'characters.session.response-defaults-saved',
  'characters.session.turn-detection-saved',
  'characters.session.transcription-saved',
  'characters.session.disconnected-timeout-saved',
  'characters.session.idle-timeout-saved',
  'characters.session.expires-within-saved-duration',
] as const satisfies readonly RequirementId[]

/** What a character for video and its sessions show. */
export const seenInVideo = [
  'characters.configuration.source-image-id-echoed',
  'characters.configuration.aspect-ratio-echoed',
  'characters.configuration.resolution-echoed',
  'characters.configuration.source-images-echoed',
  'characters.configuration.source-images-once',
  'characters.configuration.avatars-own-only',
  'characters.configuration.source-image-url-kept-or-rehosted',
  'characters.configuration.visual-echoed',
  'characters.session.source-image-saved',
  'characters.session.source-image-default',
  'characters.session.source-images-saved',
  'characters.session.visual-saved',
  'characters.session.mode-default-saved',
  'characters.session.active-avatar-sole',
  'characters.session.output-saved',
  'characters.session.resolution-overridden',
  'characters.session.aspect-ratio-kept',
  'characters.session.aspect-ratio-overridden',
  'characters.session.resolution-kept',
  'characters.session.output-both-overridden',
  'characters.session.output-empty-keeps',
  'characters.session.overrides-not-kept',
  'characters.session.transport-default',
  'characters.replace.output-gone',
  'characters.replace.source-image-id-gone',
  'characters.list.item-resolution',
] as const satisfies readonly RequirementId[]
