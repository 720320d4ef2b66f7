import { randomBytes, randomInt } from 'node:crypto'
import type { Workspace } from '../accounts/accounts.ts'
import type { JsonObject } from '../reader.ts'
import { stamp } from '../stamps.ts'
import { WORLD_SECRET_S } from '../choices.ts'
import type { Timers } from '../timers.ts'
import type { WorldPlan } from './world-request.ts'

const PROVISIONING_MS = 700
const CLEANUP_MS = 250

export type Door = 'control' | 'media'

/** One world session. */
export class World {
  readonly id = `${Date.now()}${randomInt(1e6)}`
  readonly createdAt = Date.now()
  readonly plan: WorldPlan
  readonly workspace: Workspace
  status: 'provisioning' | 'active' | 'closing' | 'closed' = 'provisioning'
  sequence = 1
  private readonly secrets: Record<Door, Map<string, number>> = { control: new Map(), media: new Map() }
  private readonly timers: Timers
  private startedAt: number | undefined

  constructor(plan: WorldPlan, workspace: Workspace, timers: Timers) {
    this.plan = plan
    this.workspace = workspace
    this.timers = timers
    timers.exactly(plan.lifetime_s * 1000, () => this.close())
    timers.after(PROVISIONING_MS, () => {
      if (this.status !== 'provisioning') return
      this.status = 'active'
      this.sequence += 1
      if (plan.continuation.start_mode === 'automatic') this.startedAt = Date.now()
    })
  }

  get expiresAt(): number {
    return this.createdAt + this.plan.lifetime_s * 1000
  }

  close(): void {
    if (this.status === 'closing' || this.status === 'closed') return
    this.status = 'closing'
    this.timers.after(CLEANUP_MS, () => {
      this.status = 'closed'
    })
  }

  /** A fresh secret for one of the doors, with the time until which it is good. */
  issue(door: Door): { readonly secret: string; readonly until: number } {
    const secret = randomBytes(20).toString('hex')
    const until = Math.min(Date.now() + WORLD_SECRET_S * 1000, this.expiresAt)
    this.secrets[door].set(secret, until)
    return { secret, until }
  }

  admits(door: Door, secret: string): boolean {
    return this.status === 'active' && (this.secrets[door].get(secret) ?? 0) > Date.now()
  }

  /** When the newest secret of this door goes out. */
  latest(door: Door): number {
    return Math.max(...this.secrets[door].values())
  }

  runtime(): JsonObject {
    const ran = this.ran()
    const held = ran >= this.plan.continuation.max_idle_ms
    const automatic = this.plan.continuation.start_mode === 'automatic'
    const running = this.startedAt === undefined ? 'connecting' : held ? 'held' : 'running'
    return {
      pending_world_event_id: null,
      media_time_ms: String(ran),
      media_status: automatic ? running : 'held',
    }
  }

  usage(): JsonObject {
    return { generated_audio_ms: '0', generated_video_ms: String(this.ran()) }
  }

  times(): JsonObject {
    return { expires_at: stamp(this.expiresAt), created_at: stamp(this.createdAt) }
  }

  private ran(): number {
    return this.startedAt === undefined ? 0 : Math.min(Date.now() - this.startedAt, this.plan.continuation.max_idle_ms)
  }
}
