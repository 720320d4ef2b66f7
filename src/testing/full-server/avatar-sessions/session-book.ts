import type { Account, Workspace } from '../accounts/accounts.ts'
import { Refusal } from '../refusal.ts'
import { AvatarSession } from './session.ts'
import type { SessionPlan } from './session-request.ts'
import type { Choices } from '../choices.ts'
import type { Timers } from '../timers.ts'

/** All avatar sessions there are and were. */
export class SessionBook {
  private readonly sessions = new Map<string, AvatarSession>()
  private readonly choices: Choices
  private readonly timers: Timers

  constructor(choices: Choices, timers: Timers) {
    this.choices = choices
    this.timers = timers
  }

  open(plan: SessionPlan, { workspace, keyName }: Account): AvatarSession {
    if (keyName === 'capacity_exhausted') throw new Refusal(30008, 'model resource capacity exceeded')
    if (this.held(workspace).length >= workspace.cap) throw new Refusal(30006, 'workspace concurrency limit exceeded')
    const session = new AvatarSession(plan, workspace, this.choices, this.timers)
    this.sessions.set(session.id, session)
    return session
  }

  /** Those that hold quota: open ones, and those that are being cleaned up. */
  held(workspace: Workspace): readonly AvatarSession[] {
    return [...this.sessions.values()].filter((one) => one.workspace === workspace && one.status !== 'closed')
  }

  find(id: string | undefined): AvatarSession | undefined {
    return this.sessions.get(id ?? '')
  }

  need(id: string | undefined, workspace: Workspace): AvatarSession {
    const session = this.find(id)
    if (session?.workspace !== workspace) throw new Refusal(20005, 'not found')
    return session
  }

  allOpen(): readonly AvatarSession[] {
    return [...this.sessions.values()].filter((one) => one.status === 'active')
  }
}
