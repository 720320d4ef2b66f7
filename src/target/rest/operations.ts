/** Section 4: the operations that this target serves. */
export const OPERATIONS = [
  { id: 'create-avatar-session', method: 'POST', path: '/v1/realtime-avatar/sessions' },
  { id: 'list-avatar-sessions', method: 'GET', path: '/v1/realtime-avatar/sessions' },
  { id: 'get-avatar-session', method: 'GET', path: '/v1/realtime-avatar/sessions/:session_id' },
  { id: 'close-avatar-session', method: 'POST', path: '/v1/realtime-avatar/sessions/:session_id/close' },
  { id: 'upload-audio', method: 'POST', path: '/v1/files/audios' },
  { id: 'clone-voice', method: 'POST', path: '/v1/voices' },
  { id: 'list-voices', method: 'GET', path: '/v1/voices' },
  { id: 'get-voice', method: 'GET', path: '/v1/voices/:voice_id' },
] as const

export type OperationId = (typeof OPERATIONS)[number]['id']
