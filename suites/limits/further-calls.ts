import type { Exchange, RestCall } from '#client/types'
import type { Ability } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { medium } from '#media/media'
import type { Context } from '#scenario/author/context'
import { at, type JsonObject } from '#trace/json'
import { hurried, key } from './burst.ts'

/** As many as creates go out: more than a limit gives back meanwhile. */
const times = 3

/** A call that was sent while the key was exhausted. */
export interface Hurried {
  readonly operation: OperationId
  readonly answer: Exchange
}

interface Kind {
  readonly operation: OperationId
  readonly needs: Ability
  /** Undefined where something is missing that it needs. */
  readonly call: (c: Context, character_id: string | undefined) => RestCall | undefined
  /** Sent but once: nothing counts how often it gets through. */
  readonly once?: true
}

/** "All REST calls" (section 8): others than those about avatar sessions, each without a fault of its own. */
const kinds: readonly Kind[] = [
  { operation: 'list-characters', needs: 'characters', call: () => ({}) },
  {
    operation: 'replace-character',
    needs: 'characters',
    call: (c, id) => (id === undefined ? undefined : { params: { character_id: id }, body: character(c) }),
  },
  {
    operation: 'create-session-from-character',
    needs: 'characters',
    call: (c, id) => (id === undefined ? undefined : { body: { character_id: id, idempotency_key: c.id('hurried') } }),
  },
  { operation: 'list-voices', needs: 'voices', call: () => ({}) },
  {
    operation: 'upload-audio',
    needs: 'audio_files',
    call: () => ({
      multipart: [{ name: 'file', filename: 'short.wav', content_type: 'audio/wav', data: medium('short.wav') }],
    }),
  },
  { operation: 'create-world-session', needs: 'world_sessions', call: (c) => ({ body: world(c) }) },
  // Behind all others, which use up what the limit gives back meanwhile.
  {
    operation: 'delete-character',
    needs: 'characters',
    call: (_, id) => (id === undefined ? undefined : { params: { character_id: id } }),
    once: true,
  },
]

/** A character for the calls that need one, made while the limit is far. */
export async function prepare(c: Context): Promise<string | undefined> {
  if (!c.offers('characters')) return undefined
  const { data } = await c.call('create-character', { key, pace: false, body: character(c) })
  const id = at(data, '/character_id')
  return typeof id === 'string' ? id : undefined
}

/** What replaces and a delete have left of it that were refused: all, as they found it. */
export async function lookAfter(c: Context, character_id: string): Promise<void> {
  await c.call('get-character', { key, pace: false, params: { character_id } })
}

/** Here and not when all is cleaned up, which would be at the pace of the key. */
export async function forget(c: Context, character_id: string): Promise<void> {
  await c.call('delete-character', { key, pace: false, params: { character_id } })
}

export async function hurry(c: Context, character_id: string | undefined): Promise<readonly Hurried[]> {
  const offered = kinds.filter(({ needs }) => c.offers(needs))
  return Promise.all(
    offered.flatMap(({ operation, call, once }) => {
      const calls = Array.from({ length: once === true ? 1 : times }, () => call(c, character_id)).filter(
        (one) => one !== undefined,
      )
      return calls.map(async (one) => ({ operation, answer: await c.call(operation, { ...hurried, ...one }) }))
    }),
  )
}

function character(c: Context): JsonObject {
  const auto_close = { disconnected_timeout_seconds: 0 }
  const session = { mode: 'text_chat' }
  return { name: c.id('hurried'), model: 'svc-a1-stream', session, avatars: [{ avatar_id: 'ada' }], auto_close }
}

function world(c: Context): JsonObject {
  const content = [{ type: 'input_text', text: 'A quiet harbour in the rain.' }]
  return { model: 'svc-w1-stream', initial_prompt: { content }, idempotency_key: c.id('hurried') }
}

/** Sessions of creates that got through. */
export async function closeFurther(c: Context, calls: readonly Hurried[]): Promise<void> {
  for (const { operation, answer } of calls) {
    const session_id = at(answer.data, '/session_id')
    if (!answer.ok || typeof session_id !== 'string') continue
    if (operation === 'create-session-from-character') await c.close(c.adopt(answer, key), { pace: false })
    else await c.call('close-world-session', { key, pace: false, params: { session_id }, body: {} })
  }
}
