/** The only operation whose body is no JSON (Conventions). */
export const UPLOAD = { id: 'upload-audio', method: 'POST', path: '/v1/files/audios' } as const

/** Section 4: the operations that this target serves. */
export const OPERATIONS = [
  { id: 'create-avatar-session', method: 'POST', path: '/v1/realtime-avatar/sessions' },
  { id: 'list-avatar-sessions', method: 'GET', path: '/v1/realtime-avatar/sessions' },
  { id: 'get-avatar-session', method: 'GET', path: '/v1/realtime-avatar/sessions/:session_id' },
  { id: 'close-avatar-session', method: 'POST', path: '/v1/realtime-avatar/sessions/:session_id/close' },
  { id: 'create-session-from-character', method: 'POST', path: '/v1/realtime-avatar/character-sessions' },
  { id: 'create-character', method: 'POST', path: '/v1/characters' },
  { id: 'list-characters', method: 'GET', path: '/v1/characters' },
  { id: 'get-character', method: 'GET', path: '/v1/characters/:character_id' },
  { id: 'replace-character', method: 'PUT', path: '/v1/characters/:character_id' },
  { id: 'delete-character', method: 'DELETE', path: '/v1/characters/:character_id' },
  UPLOAD,
  { id: 'clone-voice', method: 'POST', path: '/v1/voices' },
  { id: 'list-voices', method: 'GET', path: '/v1/voices' },
  { id: 'get-voice', method: 'GET', path: '/v1/voices/:voice_id' },
  { id: 'create-world-session', method: 'POST', path: '/v1/streaming-world/sessions' },
  { id: 'get-world-session', method: 'GET', path: '/v1/streaming-world/sessions/:session_id' },
  { id: 'create-client-secret', method: 'POST', path: '/v1/streaming-world/sessions/:session_id/client-secrets' },
  { id: 'close-world-session', method: 'POST', path: '/v1/streaming-world/sessions/:session_id/close' },
] as const

export type OperationId = (typeof OPERATIONS)[number]['id']
