import type { JsonObject } from '#trace/json'
import { speech } from '../bodies.ts'
import { type BusySession, story } from '../responses/busy.ts'
import type { Talk } from '../talk.ts'
import { action, lastingSound, longReply, sound } from './requests.ts'
import type { End, Operation } from './stages.ts'

/** A request that is sent as it is. */
interface Plain {
  readonly response: JsonObject
  /** Whether it is heard to its end at once, and how that end is known. */
  readonly heard: boolean
  readonly end?: End
}

/** What an operation of a walk asks for, where it is one request and nothing else. */
export function plainOf(operation: Operation, talk: Talk, busy: BusySession): Plain | undefined {
  const interrupting = { scheduling_policy: 'interrupt' }
  switch (operation) {
    case 'interrupt briefly':
      return { response: speech(story(talk, 40), interrupting), heard: true }
    case 'interrupt out of band':
      return { response: speech(story(talk, 40), { ...interrupting, conversation: 'none' }), heard: true, end: 'aside' }
    case 'interrupt with audio':
      return { response: { ...sound, ...interrupting }, heard: true, end: 'audio' }
    case 'queue audio':
      return { response: { ...sound, scheduling_policy: 'after_current_response' }, heard: false }
    case 'generate':
      return { response: { scheduling_policy: 'after_current_response' }, heard: false }
    case 'generate a little':
      return { response: { max_output_tokens: 5 }, heard: true }
    case 'generate at length':
      return { response: longReply, heard: false }
    case 'generate out of band':
      return { response: { conversation: 'none' }, heard: true, end: 'aside' }
    case 'act':
      return { response: action(busy), heard: false }
    case 'queue an action':
      return { response: { ...action(busy), scheduling_policy: 'after_current_response' }, heard: false }
    case 'play audio for a while':
      return { response: lastingSound(busy), heard: false }
    default:
      return undefined
  }
}
