import type { MediaStatus, WorldPlan, WorldSession } from '#target/worlds/session'

/** 3.3 `runtime.media_status`, and what a snapshot tells of the generation. */
export const worldRuntime = () => ({
  /** Before the session is ready; "manual starts in `held`". */
  beforeReady: (startMode: string): MediaStatus => (startMode === 'automatic' ? 'connecting' : 'held'),
  /** "with `automatic`, generation begins when the session is ready" */
  whenReady: (startMode: string): MediaStatus => (startMode === 'automatic' ? 'running' : 'held'),
  /** Milliseconds for which an automatic session that is ready connects before it runs. */
  connectMs: 0,
  whileConnecting: 'connecting' as MediaStatus,
  /** "Generation that continues without a new Event for `max_idle_ms` enters held mode." */
  afterIdle: 'held' as MediaStatus,
  idleMs: ({ maxIdleMs }: WorldPlan): number => maxIdleMs,
  onClose: 'disconnected' as MediaStatus,
  onFailure: 'failed' as MediaStatus,
  /** Media made in so many milliseconds of running. */
  mediaMs: (runningMs: number): number => runningMs,
  usage: (mediaMs: number): { video: number; audio: number } => ({ video: mediaMs, audio: mediaMs }),
  /** No Event can reach this service, for their formats are not shown. */
  appliedEvent: (_session: WorldSession): string | null | undefined => null,
  pendingEvent: (_session: WorldSession): string | null | undefined => null,
  /** How far a change of the session moves the sequence of control events on. */
  sequenceStep: 1,
})
