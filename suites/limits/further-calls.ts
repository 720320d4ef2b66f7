import type { Exchange } from '../../src/client/types.ts'
import type { Context } from '../../src/scenario/context.ts'
import { at, type JsonObject } from '../../src/trace/json.ts'
import { hurried, key } from './burst.ts'

/** As many as creates go out: more than a limit gives back meanwhile. */
const times = 3

/** "All REST calls" (section 8): others than those about avatar sessions, each without a fault of its own. */
export async function hurry(context: Context): Promise<readonly Exchange[]> {
  const { characters, voices, world_sessions } = context.profile.abilities ?? {}
  const calls = [
    ...several(characters, () => context.call('list-characters', hurried)),
    ...several(voices, () => context.call('list-voices', hurried)),
    ...several(world_sessions, () => context.call('create-world-session', { ...hurried, body: world(context) })),
  ]
  return Promise.all(calls)
}

function several(offered: boolean | undefined, send: () => Promise<Exchange>): readonly Promise<Exchange>[] {
  return offered === false ? [] : Array.from({ length: times }, send)
}

function world(context: Context): JsonObject {
  const content = [{ type: 'input_text', text: 'A quiet harbour in the rain.' }]
  return { model: 'svc-w1-stream', initial_prompt: { content }, idempotency_key: context.id('hurried') }
}

/** World sessions of creates that got through. */
export async function closeWorlds(context: Context, answers: readonly Exchange[]): Promise<void> {
  for (const { ok, data } of answers) {
    const session_id = at(data, '/session_id')
    if (!ok || typeof session_id !== 'string') continue
    await context.call('close-world-session', { key, pace: false, params: { session_id }, body: {} })
  }
}
