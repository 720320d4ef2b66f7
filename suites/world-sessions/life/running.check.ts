import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { watchFactor } from '#judge/timing/timeouts'
import { at, type Json } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { seenOnGet } from './seen.ts'
import { ask, closeShared, sendKeyed, settled, type World, worldOf } from '../send.ts'

/** So short that generation stops while we look on; bounds are not shown, so that it may be refused. */
const idle_ms = 1_500

/** A session that generates by itself, until it has gone on for long enough without an Event (3.3), and once it was closed. */
export const running = scenario({
  id: 'world-sessions.generation',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 26 }, typical: 7, waits: 3 },
  observes: [
    'world-sessions.continuation.automatic-generates',
    'world-sessions.continuation.idle-enters-held',
    'world-sessions.output.partial-keeps-defaults',
    'world-sessions.runtime.media-time-never-falls',
    'world-sessions.get.usage-never-falls',
    ...seenOnGet,
  ],
  async drive(c) {
    const continuation = { start_mode: 'automatic', max_idle_ms: idle_ms }
    const answer = await sendKeyed(c, minimal({ continuation, output: { captions: false } }))
    const world = worldOf(answer)
    if (world === undefined) {
      const code = answer.code === 30004 ? 'model_choice' : 'prerequisite'
      return c.block(code, `automatic generation of ${idle_ms} ms was refused with ${answer.code ?? answer.failure}`)
    }
    await settled(c, world)
    await watch(c, world, idleOf(world))
    await closeShared(c, world)
    await ask(c, 'get-world-session', world)
  },
})

/** The effective time, in milliseconds: it may be lower than what was asked for, or the least that there is. */
function idleOf({ data }: World): number {
  const shown = Number(at(data, '/continuation/max_idle_ms') ?? idle_ms)
  return shown > 0 ? shown : idle_ms
}

/** A longer idle time than this is not waited for. */
const patient_ms = 4_000

/**
 * Looks at it soon, in between, and until it is held or should have been. When media come after the session is active is
 * not said: they are given twice the time that the profile gives to provisioning. Only pauses are counted, as they were
 * asked for: the judge leaves out times in which Greenroom itself stood still, and by a clock such a time would use up the
 * patience, so that the last look would come too early to decide.
 */
async function watch(c: Context, world: World, effective_ms: number): Promise<void> {
  let left_ms = watchFactor * c.timeouts.provisioning_ms
  const pauses = [effective_ms / 5, effective_ms / 3, effective_ms, 1_000, 2_000].map((ms) => Math.min(ms, patient_ms))
  let begun = false
  for (let round = 0; ; round += 1) {
    const { data } = await ask(c, 'get-world-session', world)
    if (!begun && hasBegun(data)) {
      begun = true
      left_ms = effective_ms + c.timeouts.auto_close_grace_ms
    }
    const held = at(data, '/runtime/media_status') === 'held'
    const manual = at(world.data, '/continuation/start_mode') === 'manual' && round > 2
    if (left_ms <= 0 || manual || (begun && (held || effective_ms > patient_ms))) return
    const pause = Math.min(pauses[round] ?? patient_ms, Math.max(50, left_ms))
    await c.wait(pause, 'timer')
    left_ms -= pause
  }
}

function hasBegun(data: Json | undefined): boolean {
  const counters = ['/runtime/media_time_ms', '/usage/generated_video_ms', '/usage/generated_audio_ms']
  return at(data, '/runtime/media_status') === 'running' || counters.some((one) => Number(at(data, one)) > 0)
}
