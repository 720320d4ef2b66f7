/** What an operation makes that has to be ended again, or at least be told of. */
export interface Creation {
  readonly resource: 'avatar-session' | 'world-session' | 'character' | 'audio-file' | 'voice'
  /** Field of the answer's `data` with its id. */
  readonly field: string
}

const creations: { readonly [operation: string]: Creation | undefined } = {
  'create-avatar-session': { resource: 'avatar-session', field: 'session_id' },
  'create-session-from-character': { resource: 'avatar-session', field: 'session_id' },
  'create-world-session': { resource: 'world-session', field: 'session_id' },
  'create-character': { resource: 'character', field: 'character_id' },
  'upload-audio': { resource: 'audio-file', field: 'file_id' },
  'clone-voice': { resource: 'voice', field: 'voice_id' },
}

const ends: { readonly [operation: string]: Creation['resource'] | undefined } = {
  'close-avatar-session': 'avatar-session',
  'close-world-session': 'world-session',
  'delete-character': 'character',
}

export function creationOf(operation: string): Creation | undefined {
  return creations[operation]
}

/** What an operation ends: the kind, and the id in its path. */
export function endingOf(operation: string, path: string): { resource: Creation['resource']; id: string } | undefined {
  const resource = ends[operation]
  if (resource === undefined) return undefined
  const parts = path.split('/')
  const id = parts[parts.findIndex((part) => part === 'sessions' || part === 'characters') + 1]?.split('?')[0] ?? ''
  return id === '' ? undefined : { resource, id: decodeURIComponent(id) }
}

export const isSession = (resource: Creation['resource']): boolean => resource.includes('-session')
