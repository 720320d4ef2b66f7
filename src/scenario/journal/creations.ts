import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { Exchange } from '#client/types'
import { at } from '#trace/json'

export type ResourceKind = 'avatar-session' | 'world-session' | 'character' | 'audio-file' | 'voice'

/** How a thing that a run makes is known, and how it is ended again. */
export interface Creation {
  readonly resource: ResourceKind
  /** JSON Pointer into the envelope of a successful create. */
  readonly id: string
  /** Missing where the interface has no way to end it. */
  readonly end?: { readonly operation: OperationId; readonly param: string }
}

const avatarSession: Creation = {
  resource: 'avatar-session',
  id: '/data/session_id',
  end: { operation: 'close-avatar-session', param: 'session_id' },
}

const creations: { readonly [operation in OperationId]?: Creation } = {
  'create-avatar-session': avatarSession,
  'create-session-from-character': avatarSession,
  'create-world-session': {
    resource: 'world-session',
    id: '/data/session_id',
    end: { operation: 'close-world-session', param: 'session_id' },
  },
  'create-character': {
    resource: 'character',
    id: '/data/character_id',
    end: { operation: 'delete-character', param: 'character_id' },
  },
  'upload-audio': { resource: 'audio-file', id: '/data/file_id' },
  'clone-voice': { resource: 'voice', id: '/data/voice_id' },
}

/** What the operation makes, or undefined when it makes nothing that lasts. */
export function creationOf(operation: OperationId): Creation | undefined {
  return creations[operation]
}

/** How things of this kind are ended, or undefined where the interface has no way. */
export function endOf(resource: ResourceKind): Creation['end'] {
  return Object.values(creations).find((creation) => creation.resource === resource)?.end
}

/** The key that ends what was made with this one: what a target made without a key is nobody's, and any may try. */
export function keyToEnd(key: KeyName | 'none'): KeyName {
  return key === 'none' ? 'primary' : key
}

/** What the operation ends, and by which path parameter. */
export function endedBy(operation: OperationId): { readonly param: string } | undefined {
  return Object.values(creations).find((creation) => creation.end?.operation === operation)?.end
}

/** The id of what an accepted create made, or undefined when the answer does not name it where the interface says. */
export function idOf(creation: Creation, answer: Exchange): string | undefined {
  const id = at(answer.body, creation.id)
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number') return String(id)
  return creation.resource === 'avatar-session' ? idInUrl(at(answer.body, '/data/control/url')) : undefined
}

/** 2.1: `control.url` carries a `session_id` query parameter. */
export function idInUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  return new URL(url).searchParams.get('session_id') ?? undefined
}
