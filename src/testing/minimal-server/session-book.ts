import type { Account } from './accounts/accounts.ts'
import { readCreateRequest } from './create-request.ts'
import type { Settings } from './options.ts'
import { Refusal } from './refusal.ts'
import { Session } from './session.ts'

const FIRST_NUMBER = 17

/** Every session of the service, open and closed, and which idempotency key made it. */
export class SessionBook {
  readonly #settings: Settings
  readonly #byId = new Map<string, Session>()
  readonly #byKey = new Map<string, Session>()
  #number = FIRST_NUMBER

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Sessions that still hold quota. */
  open(workspace?: string): Session[] {
    return [...this.#byId.values()].filter(
      (session) => session.status !== 'closed' && (workspace ?? session.workspace) === session.workspace,
    )
  }

  get(id: string): Session | undefined {
    return this.#byId.get(id)
  }

  find(account: Account, id: string): Session {
    const session = this.#byId.get(id)
    if (session === undefined || session.workspace !== account.workspace) throw new Refusal(20005, 'session not found')
    return session
  }

  /** Opens a session, or returns the one that this idempotency key has already opened. */
  create(account: Account, body: unknown): Session {
    const remembered = this.#remembered(account, body)
    const known = remembered === undefined ? undefined : this.#byKey.get(remembered)
    if (known !== undefined) return known
    const opening = readCreateRequest(body)
    if (account.obstacle !== undefined) throw account.obstacle()
    if (this.open(account.workspace).length >= account.cap) {
      throw new Refusal(30006, 'workspace concurrency limit exceeded', 429)
    }
    const session = new Session(this.#nextId(), account.workspace, opening, this.#settings)
    this.#byId.set(session.id, session)
    if (remembered !== undefined) this.#byKey.set(remembered, session)
    return session
  }

  destroy(): void {
    for (const session of this.#byId.values()) session.destroy()
  }

  #nextId(): string {
    const id = `S-${String(this.#number).padStart(6, '0')}`
    this.#number += 1
    return id
  }

  #remembered(account: Account, body: unknown): string | undefined {
    const key =
      typeof body === 'object' && body !== null && 'idempotency_key' in body ? body.idempotency_key : undefined
    return typeof key === 'string' && key !== '' ? JSON.stringify([account.workspace, key]) : undefined
  }
}
