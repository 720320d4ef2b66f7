import { randomBytes, randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Workspace } from '../accounts/accounts.ts'
import { Connections } from '../channel/connections.ts'
import type { Asset, Shelf } from '../shapes/asset-shape.ts'
import type { Avatar } from '../shapes/avatar-shape.ts'
import { ResponseScheduler } from '../responses/scheduler.ts'
import { Items } from './items.ts'
import type { JsonObject } from '../reader.ts'
import type { Mode, SessionPlan } from './session-request.ts'
import type { Choices } from '../choices.ts'
import type { Timers } from '../timers.ts'
import { Updates } from './updates.ts'

/** How long cleanup takes; the session holds its quota until then. */
const CLEANUP_MS = 350

/** How long an opening takes where it does not come at once. */
const OPENING_MS = 400

/** One avatar session and its clocks. */
export class AvatarSession {
  readonly id = randomUUID()
  readonly secret = randomBytes(24).toString('base64url')
  readonly createdAt = Date.now()
  readonly workspace: Workspace
  readonly plan: SessionPlan
  readonly connections = new Connections()
  readonly items = new Items()
  readonly assets = new Map<string, Asset>()
  readonly avatars = new Map<string, Avatar>()
  readonly scheduler: ResponseScheduler
  readonly updates: Updates
  readonly choices: Choices
  status: 'active' | 'closing' | 'closed' = 'active'
  mode: Mode
  activeAvatar: string
  sourceImage: string | undefined
  private readonly timers: Timers
  private opening: JsonObject | undefined
  private lonely: () => void = () => {}
  private idle: () => void = () => {}
  private readonly expiry: () => void

  constructor(plan: SessionPlan, workspace: Workspace, choices: Choices, timers: Timers) {
    this.plan = plan
    this.workspace = workspace
    this.choices = choices
    this.timers = timers
    this.mode = plan.mode
    this.activeAvatar = plan.activeAvatar
    this.sourceImage = plan.sourceImage
    for (const avatar of plan.avatars) this.avatars.set(avatar.id, avatar)
    for (const asset of plan.assets ?? []) this.assets.set(asset.id, asset)
    this.updates = new Updates(this.connections, timers)
    const namesCauses = choices.namesCauses !== 'never'
    this.scheduler = new ResponseScheduler({
      connections: this.connections,
      items: this.items,
      timers,
      namesCauses,
      contrary: choices.contrary,
    })
    this.expiry = timers.exactly(plan.longest_s * 1000, () => this.close('maximum_duration_reached'))
    this.waitForConnection()
    this.touch()
  }

  get expiresAt(): number {
    return this.createdAt + this.plan.longest_s * 1000
  }

  asset(shelf: Shelf, id: string): Asset | undefined {
    const asset = this.assets.get(id)
    return asset?.shelf === shelf ? asset : undefined
  }

  /** An accepted client interaction. */
  touch(): void {
    this.idle()
    const { idle_s } = this.plan
    if (idle_s > 0) this.idle = this.timers.exactly(idle_s * 1000, () => this.close('interaction_idle_timeout'))
  }

  join(socket: WebSocket): void {
    this.lonely()
    this.connections.sockets.add(socket)
    this.opening ??= {
      type: 'session.bootstrap.opening.done',
      event_id: this.connections.nextId(),
      status: this.mode === 'text_chat' ? 'cancelled' : 'completed',
      ...(this.mode === 'text_chat' ? { reason: 'nothing_to_open_with' } : {}),
    }
    if (this.connections.sockets.size > 1 || !this.choices.contrary) this.connections.toOne(socket, this.opening)
    else this.timers.after(OPENING_MS, () => this.connections.toOne(socket, this.opening ?? {}))
  }

  leave(socket: WebSocket): void {
    this.connections.sockets.delete(socket)
    if (this.connections.sockets.size === 0) this.waitForConnection()
  }

  close(reason: string): void {
    if (this.status !== 'active') return
    this.status = 'closing'
    for (const stop of [this.lonely, this.idle, this.expiry]) stop()
    this.scheduler.shutDown()
    this.updates.cancel('session_shutdown')
    this.connections.toAll({ type: 'session.closed', reason, session_id: this.id })
    this.timers.after(CLEANUP_MS / 2, () => {
      for (const socket of this.connections.sockets) socket.close(1000, reason)
    })
    this.timers.after(CLEANUP_MS, () => {
      this.status = 'closed'
    })
  }

  private waitForConnection(): void {
    this.lonely()
    const { disconnected_s } = this.plan
    if (disconnected_s === 0 || this.status !== 'active') return
    this.lonely = this.timers.exactly(disconnected_s * 1000, () => this.close('nobody_there'))
  }
}
