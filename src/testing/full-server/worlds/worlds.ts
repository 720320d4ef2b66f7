import type { Workspace } from '../accounts/accounts.ts'
import { Refusal } from '../refusal.ts'
import type { Timers } from '../timers.ts'
import { World } from './world.ts'
import type { WorldPlan } from './world-request.ts'

export class Worlds {
  private readonly worlds = new Map<string, World>()
  private readonly timers: Timers

  private readonly keepsClosed: boolean

  /** @param keepsClosed whether a closed session can still be looked at */
  constructor(timers: Timers, keepsClosed: boolean) {
    this.timers = timers
    this.keepsClosed = keepsClosed
  }

  open(plan: WorldPlan, workspace: Workspace): World {
    const world = new World(plan, workspace, this.timers)
    this.worlds.set(world.id, world)
    return world
  }

  find(id: string): World | undefined {
    return this.worlds.get(id)
  }

  /** Section 7: missing, closed and expired sessions are not found. */
  need(id: string, workspace: Workspace): World {
    const world = this.worlds.get(id)
    if (world?.workspace !== workspace || (world.status === 'closed' && !this.keepsClosed))
      throw new Refusal(20005, 'not found')
    return world
  }

  allOpen(): readonly World[] {
    return [...this.worlds.values()].filter((one) => one.status === 'active' || one.status === 'provisioning')
  }
}
