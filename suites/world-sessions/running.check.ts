import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { at, type Json } from '../../src/trace/json.ts'
import { merged, minimal } from './bodies.ts'
import { seenOnGet } from './seen.ts'
import { ask, closeShared, sendKeyed, settled, type World, worldOf } from './send.ts'

/** So short that generation stops while we look on; bounds are not shown, so that it may be refused. */
const idle_ms = 1_500

/** A session that generates by itself, until it has gone on for long enough without an Event (3.3), and once it was closed. */
export const running: Scenario = {
  id: 'world-sessions.generation',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 14 }, typical: 8, waits: 3 },
  proves: [
    'world-sessions.continuation.automatic-generates',
    'world-sessions.continuation.idle-enters-held',
    'world-sessions.output.partial-keeps-defaults',
    'world-sessions.runtime.media-time-never-falls',
    'world-sessions.get.usage-never-falls',
    ...seenOnGet,
  ],
  async drive(c: Context) {
    const continuation = { start_mode: 'automatic', max_idle_ms: idle_ms }
    const answer = await sendKeyed(c, merged(minimal(), { continuation, output: { captions: false } }))
    const world = worldOf(answer)
    if (world === undefined) {
      const code = answer.code === 30004 ? 'model_choice' : 'prerequisite'
      c.block(code, `automatic generation of ${idle_ms} ms was refused with ${answer.code ?? answer.failure}`)
    }
    await settled(c, world)
    await watch(c, world, idleOf(world))
    await closeShared(c, world)
    await ask(c, 'get-world-session', world)
  },
}

/** The effective time, in milliseconds. */
function idleOf({ data }: World): number {
  const shown = Number(at(data, '/continuation/max_idle_ms') ?? idle_ms)
  return shown > 0 && shown <= idle_ms ? shown : idle_ms
}

/** Looks at it soon, in between, and until it is held or should have been. */
async function watch(c: Context, world: World, effective_ms: number): Promise<void> {
  const patience = performance.now() + effective_ms + c.timeouts.auto_close_grace_ms
  const pauses = [effective_ms / 5, effective_ms / 3, effective_ms, 1_000, 2_000]
  let begun = false
  for (let round = 0; ; round += 1) {
    const late = performance.now() >= patience
    const { data } = await ask(c, 'get-world-session', world)
    begun ||= hasBegun(data)
    const held = at(data, '/runtime/media_status') === 'held'
    if (late || (held && (begun || performance.now() > patience - c.timeouts.auto_close_grace_ms + 1_000))) return
    const pause = Math.min(pauses[round] ?? 4_000, Math.max(50, patience - performance.now()))
    await c.wait(pause, 'timer')
  }
}

function hasBegun(data: Json | undefined): boolean {
  const counters = ['/runtime/media_time_ms', '/usage/generated_video_ms', '/usage/generated_audio_ms']
  return at(data, '/runtime/media_status') === 'running' || counters.some((one) => Number(at(data, one)) > 0)
}
