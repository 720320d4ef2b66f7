import type { Context, OpenSession } from '#scenario/author/context'
import { countsOnVideo, videoAvatar } from '#scenario/author/bodies'
import { onceMoreIfEnded } from '#scenario/author/session-ending'
import { scenario, type Scenario } from '#scenario/author/scenario'
import type { JsonObject } from '#trace/json'
import { begin, mustSave, needsCharacters, replace } from '../acts.ts'
import { textCharacter } from '../bodies.ts'
import { endsInTime, staysOpen } from './ending.ts'

/** The shortest duration and the shortest timeouts (section 8). */
const shortest = { duration: 4, timeout: 10, idle: 30 } as const
const longest = 600
const timersOff = { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 } as const
const long = { tier: 'full', runs: 'long', needs: needsCharacters } as const

interface Started {
  readonly session: OpenSession
  /** By our clock, when the start was answered. */
  readonly at: number
}

async function started(c: Context, body: JsonObject): Promise<Started> {
  const session = await begin(c, body)
  return { session, at: performance.now() }
}

const savedDuration = scenario({
  id: 'characters.saved-duration',
  ...long,
  price: { requests: { primary: 11 }, typical: 5, sessions: { primary: 1 }, waits: 20 },
  claims: ['characters.session.max-duration-saved'],
  async drive(c) {
    const body = { ...textCharacter(c, 'short'), max_duration_seconds: shortest.duration, auto_close: timersOff }
    const it = await started(c, { character_id: await mustSave(c, body) })
    await endsInTime(c, { ...it, seconds: shortest.duration, rows: 'characters.session.max-duration-saved' })
  },
})

const sentDuration = scenario({
  id: 'characters.sent-duration',
  ...long,
  price: { requests: { primary: 11 }, typical: 5, sessions: { primary: 1 }, waits: 20 },
  claims: ['characters.session.max-duration-overridden'],
  async drive(c) {
    // In video, where that is offered: a duration counts in either mode.
    const shown = countsOnVideo(c.profile)
    const config = shown ? { ...videoAvatar(c.profile), name: c.id('long') } : textCharacter(c, 'long')
    const body = { ...config, max_duration_seconds: 600, auto_close: timersOff }
    const character_id = await mustSave(c, body)
    const it = await started(c, { character_id, max_duration_seconds: shortest.duration })
    await endsInTime(c, { ...it, seconds: shortest.duration, rows: 'characters.session.max-duration-overridden' })
  },
})

/** Nor does a shorter one that is saved end what was to be longer. */
const longerDuration = scenario({
  id: 'characters.longer-duration',
  ...long,
  price: { requests: { primary: 11 }, typical: 5, sessions: { primary: 1 }, waits: 21 },
  claims: ['characters.session.max-duration-overridden'],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const body = { ...textCharacter(c, 'brief'), max_duration_seconds: shortest.duration, auto_close: timersOff }
      const it = await started(c, { character_id: await mustSave(c, body), max_duration_seconds: 600 })
      await staysOpen(c, {
        ...it,
        seconds: shortest.duration,
        rows: 'characters.session.max-duration-overridden',
        round,
      })
    }),
})

/** Starts from a character of one timeout, which was longer before: what was saved last counts, for whichever model. */
async function startTimed(c: Context, timeout: keyof typeof timersOff, shorter: number): Promise<Started> {
  const timed = (seconds: number): JsonObject => ({
    ...textCharacter(c, 'left'),
    ...(c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}),
    // No timeout may exceed the duration, and what that is by default is the service's own.
    max_duration_seconds: longest,
    auto_close: { ...timersOff, [timeout]: seconds },
  })
  const character_id = await mustSave(c, timed(longest))
  await replace(c, character_id, timed(shorter))
  return started(c, { character_id })
}

const savedTimeout = scenario({
  id: 'characters.saved-timeout',
  ...long,
  price: { requests: { primary: 12 }, typical: 6, sessions: { primary: 1 }, waits: 30 },
  claims: ['characters.session.auto-close-disconnected-closes'],
  async drive(c) {
    const it = await startTimed(c, 'disconnected_timeout_seconds', shortest.timeout)
    await endsInTime(c, {
      ...it,
      seconds: shortest.timeout,
      rows: 'characters.session.auto-close-disconnected-closes',
    })
  },
})

const savedIdleTimeout = scenario({
  id: 'characters.saved-idle-timeout',
  ...long,
  price: { requests: { primary: 13 }, typical: 6, sessions: { primary: 1 }, waits: 51 },
  claims: ['avatar-sessions.auto-close.idle-closes'],
  async drive(c) {
    const it = await startTimed(c, 'interaction_idle_timeout_seconds', shortest.idle)
    // Whether it counts before anybody came is not shown. Nobody says anything, and nobody has to be there in the end.
    const channel = await c.connect(it.session)
    await channel.close()
    await endsInTime(c, { ...it, seconds: shortest.idle, rows: 'avatar-sessions.auto-close.idle-closes' })
  },
})

const laterTimeout = scenario({
  id: 'characters.later-timeout',
  ...long,
  price: { requests: { primary: 13 }, typical: 6, sessions: { primary: 1 }, waits: 27 },
  claims: ['characters.session.edit-leaves-running-auto-close'],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const character_id = await mustSave(c, { ...textCharacter(c, 'spared'), auto_close: timersOff })
      const { session } = await started(c, { character_id })
      const auto_close = { ...timersOff, disconnected_timeout_seconds: shortest.timeout }
      await replace(c, character_id, { ...textCharacter(c, 'hasty'), auto_close })
      const at = performance.now()
      await staysOpen(c, {
        session,
        at,
        seconds: shortest.timeout,
        rows: 'characters.session.edit-leaves-running-auto-close',
        round,
      })
    }),
})

export const timers: readonly Scenario[] = [
  savedDuration,
  sentDuration,
  longerDuration,
  savedTimeout,
  savedIdleTimeout,
  laterTimeout,
]
