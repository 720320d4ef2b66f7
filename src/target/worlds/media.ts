import type { Service } from '../service.ts'
import type { MediaStatus, WorldSession } from './session.ts'

/** Media time up to now: it stands still unless the generation runs. */
export function mediaMsOf(service: Service, { runtime }: WorldSession, now: number): number {
  const running = runtime.mediaStatus === 'running' ? now - runtime.since : 0
  return runtime.mediaMs + service.behaviour.world.runtime.mediaMs(running)
}

/** Changes the media status and keeps the media time that was reached. */
export function turnMedia(service: Service, session: WorldSession, to: MediaStatus): void {
  const now = Date.now()
  session.runtime.mediaMs = mediaMsOf(service, session, now)
  session.runtime.since = now
  if (session.runtime.mediaStatus === to) return
  session.runtime.mediaStatus = to
  session.sequence += service.behaviour.world.runtime.sequenceStep
}
