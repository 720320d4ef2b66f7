import {
  closeSession,
  createFromCharacter,
  createSession,
  getSession,
  listSessions,
} from './avatar-sessions/operations.ts'
import type { Operation } from './call.ts'
import {
  createCharacter,
  deleteCharacter,
  getCharacter,
  listCharacters,
  replaceCharacter,
} from './characters/operations.ts'
import { cloneVoice, getVoice, listVoices } from './voices/operations.ts'
import { uploadAudio } from './voices/upload.ts'
import { Refusal } from './refusal.ts'
import { closeWorld, createWorld, getWorld, renewSecrets } from './worlds/operations.ts'

interface Route {
  readonly run: Operation
  readonly status: number
  readonly method: string
  readonly path: RegExp
}

function route(method: string, path: string, status: number, run: Operation): Route {
  return { method, status, run, path: new RegExp(`^/v1/${path.replace('*', '([^/]+)')}$`) }
}

const avatars = 'realtime-avatar/sessions'
const worlds = 'streaming-world/sessions'

const routes: readonly Route[] = [
  route('POST', avatars, 201, createSession),
  route('POST', 'realtime-avatar/character-sessions', 201, createFromCharacter),
  route('GET', avatars, 200, listSessions),
  route('GET', `${avatars}/*`, 200, getSession),
  route('POST', `${avatars}/*/close`, 202, closeSession),
  route('POST', 'characters', 201, createCharacter),
  route('GET', 'characters', 200, listCharacters),
  route('GET', 'characters/*', 200, getCharacter),
  route('PUT', 'characters/*', 200, replaceCharacter),
  route('DELETE', 'characters/*', 200, deleteCharacter),
  route('POST', 'files/audios', 201, uploadAudio),
  route('POST', 'voices', 201, cloneVoice),
  route('GET', 'voices', 200, listVoices),
  route('GET', 'voices/*', 200, getVoice),
  route('POST', worlds, 201, createWorld),
  route('GET', `${worlds}/*`, 200, getWorld),
  route('POST', `${worlds}/*/client-secrets`, 201, renewSecrets),
  route('POST', `${worlds}/*/close`, 202, closeWorld),
]

export function routeTo(method: string, path: string): Pick<Route, 'run' | 'status'> & { id: string } {
  for (const { method: own, path: pattern, run, status } of routes) {
    const found = own === method ? pattern.exec(path) : null
    if (found !== null) return { run, status, id: decoded(found[1] ?? '') }
  }
  throw new Refusal(20005, 'there is nothing here')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
