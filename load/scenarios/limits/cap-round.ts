import { broken, held, type Ruling } from '../../core/limits/laws.ts'
import { type Circumstance, mostSurelyOpen, type PlaceLog, type Refused } from '../../core/limits/places.ts'
import { judgeCodeAtCap, oneToClose } from './code-at-cap.ts'
import { giveUpSome, refuseSome, repeatCreate, tryInvalidSome } from './free-place.ts'
import { letOneEnd } from './let-one-end.ts'
import type { PacedMachine } from './paced.ts'
import type { HangUp, UseSessions } from './use-channels.ts'
import { CLOSED_MS, GRACE_MS, LAG_MS, Workspace } from './workspace.ts'

/** Creates that are sent at once. */
const VOLLEY = 4

/** How often a create that was refused at the cap is sent again there. */
const AGAIN = 2

/** Later, a run that is slow for want of requests has no time left for what takes long. */
const LATEST_END_MS = 80_000

/** A create that was refused for want of a place, by its idempotency key, and the API key that sent it. */
interface Waiting {
  readonly create: string
  readonly key: string
}

/** One climb to the cap of a workspace and all that is tried there. */
export class CapRound {
  readonly workspace: Workspace
  readonly rulings: Ruling[] = []
  readonly freedMs: number[] = []
  readonly #machine: PacedMachine
  readonly #ceiling: number
  readonly #channels: UseSessions
  readonly #refused: Refused[] = []
  readonly #given: Circumstance[] = []
  #alone = true

  constructor(machine: PacedMachine, ceiling: number, channels: UseSessions) {
    this.#machine = machine
    this.#channels = channels
    this.workspace = new Workspace(machine)
    const declared = machine.key.concurrent_sessions
    this.#ceiling = Math.min(ceiling, declared === undefined ? ceiling : declared + 1)
  }

  get log(): PlaceLog {
    const { opened, unresolved } = this.workspace
    return { opened: [...opened.values()], refused: this.#refused, given: this.#given, unresolved }
  }

  async run(): Promise<void> {
    const began = this.#machine.now()
    const waiting = await this.#climb()
    if (waiting === undefined) return
    await this.#look()
    const cap = this.workspace.open.length
    await this.#volleyWhenFull(waiting)
    const second = await this.#trySecondKey()
    let refused = waiting
    for (const circumstance of circumstances) refused = (await this.#freeOne(refused, circumstance)) ?? refused
    if (second !== undefined) await this.#freeOneFor(second)
    await this.#channels.visit(this.workspace.open)
    const isSlow = (): boolean => this.#machine.now() - began > LATEST_END_MS
    await this.#volleyLater(isSlow())
    if (!isSlow()) await letOneEnd(this.workspace)
    await this.#volleyFromEmpty(cap)
    const declared = this.#machine.key.concurrent_sessions ?? cap
    if (cap < declared || mostSurelyOpen(this.log.opened).count > cap) await this.#climbAgain()
  }

  /** Creates one after the other until one is refused, and still is a while later. @returns its idempotency key */
  async #climb(circumstance: Circumstance = 'climb'): Promise<string | undefined> {
    for (;;) {
      if (this.workspace.open.length >= this.#ceiling) {
        await this.workspace.findEnded()
        return undefined
      }
      const key = this.workspace.freshKey()
      const received = await this.workspace.create(key)
      if (received === 'opened') continue
      if (received !== 'full') {
        this.rulings.push(...(await judgeCodeAtCap(this.workspace)))
        return undefined
      }
      // What was closed before we came may still hold its place for a moment, and others may be there for one.
      this.#alone &&= await this.workspace.isAlone()
      // Of a session that has ended by itself, nobody knows whether it still holds its place; lists may name it.
      await this.workspace.findEnded()
      if ((await this.workspace.create(key)) === 'opened') continue
      this.#settle(circumstance)
      return key
    }
  }

  /** Keeps the last refusal of a create that was tried as long as it may have been in vain. */
  #settle(circumstance: Circumstance, key = this.#machine.key.name): void {
    const last = this.workspace.refusals.at(-1)
    if (last === undefined || last.code !== '30006') return
    const { sentAt, answeredAt } = last
    this.#refused.push({ key, sentAt, answeredAt, circumstance, alone: this.#alone })
  }

  /** Whether others are in the workspace: then no refusal says anything, those of a moment ago neither. */
  async #look(): Promise<void> {
    this.#alone &&= await this.workspace.isAlone()
    if (this.#alone) return
    for (const [index, one] of this.#refused.entries()) this.#refused[index] = { ...one, alone: false }
  }

  async #volleyWhenFull(refused: string): Promise<void> {
    await this.#volley(VOLLEY)
    // That a key has been seen before gets it no place.
    for (let tries = 0; tries < AGAIN; tries += 1)
      if ((await this.workspace.create(refused)) === 'opened') await this.workspace.findEnded()
    if (this.#machine.key.concurrent_sessions !== undefined) this.rulings.push(held('cap-wrong-code'))
  }

  /**
   * A session takes its place as long as it is open: of two that come a while later one gets the place that was given back
   * meanwhile, and no more. Creates that were refused just before keep it from nobody, not for a moment either.
   */
  async #volleyLater(isSlow: boolean): Promise<void> {
    const { workspace } = this
    // The oldest stays open.
    if (workspace.open.length === 1 || isSlow) {
      await this.#machine.wait(GRACE_MS)
      await this.#volley(2)
    }
    if (isSlow) return
    const one = oneToClose(workspace)
    if (one !== undefined) await workspace.close(one)
    await this.#awaitClosed()
    const isFree = one?.closedAt !== undefined
    await this.#machine.wait(GRACE_MS)
    if (isFree) await tryInvalidSome(workspace)
    const [create, ...others] = await this.#volley(2)
    if (isFree && create !== undefined && others.length > 0)
      await this.#confirm('after-refusals', { create, key: this.#machine.key.name })
  }

  /** Sends so many creates at once. @returns the idempotency keys of those that were refused for want of a place */
  async #volley(size: number): Promise<string[]> {
    const { workspace } = this
    await this.#machine.makeRoom(size)
    const before = workspace.open.length
    const keys = Array.from({ length: size }, () => workspace.freshKey())
    const received = await Promise.all(keys.map((key) => workspace.create(key)))
    // More than before the volley is only more at once if none of the others has ended meanwhile.
    if (workspace.open.length > before) await workspace.findEnded()
    return keys.filter((_, index) => received[index] === 'full')
  }

  /** A second key of the workspace finds no place where the first has taken all. @returns its create, where it was refused */
  async #trySecondKey(): Promise<Waiting | undefined> {
    const { key, keys } = this.#machine
    const second = keys.find(({ name }) => name === 'same_workspace')
    if (key.name !== 'primary' || second === undefined) return undefined
    const waiting = { create: this.workspace.freshKey(), key: second.name }
    const received = await this.workspace.create(waiting.create, { key: waiting.key })
    if (received === 'full') this.#settle('second-key')
    if (received === 'opened') await this.workspace.findEnded()
    return received === 'full' ? waiting : undefined
  }

  /** A place that the first key gives back is there for the second one. */
  async #freeOneFor({ create, key }: Waiting): Promise<void> {
    const one = oneToClose(this.workspace)
    if (one === undefined) return
    await this.workspace.close(one)
    if ((await this.#awaitPlace(create, key)) !== undefined) this.#given.push('for-second-key')
    else await this.#confirm('for-second-key', { create, key })
  }

  /**
   * Closes one session and sends a create that was refused until it gets the place; then no other finds one.
   * @returns the idempotency key of a create that was refused after it
   */
  async #freeOne(waiting: string, circumstance: Circumstance): Promise<string | undefined> {
    const { workspace } = this
    const one = oneToClose(this.workspace)
    if (one === undefined) return undefined
    if (circumstance === 'after-repeats') await repeatCreate(workspace, one)
    // As clients do that retry: while it is closing, one more close frees nothing.
    const twice = circumstance === 'after-refusals' ? [workspace.close(one)] : []
    const [{ answeredAt }] = await Promise.all([workspace.close(one), ...twice])
    if (circumstance === 'after-refusals') await refuseSome(workspace, one)
    if (circumstance === 'after-given-up') await giveUpSome(workspace, one)
    const got = await this.#awaitPlace(waiting)
    if (got === undefined) {
      await this.#blame(waiting, circumstance)
      return undefined
    }
    this.#given.push(circumstance)
    this.rulings.push(held('refused-key-stuck'))
    if (circumstance === 'after-close' || circumstance === 'after-repeats')
      this.freedMs.push(Math.max(0, got - answeredAt))
    // Closed again: one session frees one place, however often it is closed.
    await workspace.close(one)
    return (await this.#volley(2))[0]
  }

  /** @returns when the create was sent that got the place; undefined when it never came free */
  async #awaitPlace(waiting: string, key = this.#machine.key.name): Promise<number | undefined> {
    const { workspace } = this
    const until = this.#machine.now() + CLOSED_MS
    for (;;) {
      const tried = workspace.tries.length
      const sentAt = this.#machine.now()
      if ((await workspace.create(waiting, { key })) === 'opened') return workspace.tries[tried]?.sentAt
      const free = Math.max(0, ...workspace.closed.map(({ closedAt = until }) => closedAt)) + GRACE_MS
      if (sentAt > free) return undefined
      await Promise.all(workspace.closing.map((session) => workspace.isClosed(session)))
      await this.#machine.wait(Math.max(workspace.pauseMs, LAG_MS / 4))
    }
  }

  /** The place was not given: to this key, or to nobody? */
  async #blame(waiting: string, circumstance: Circumstance): Promise<void> {
    const { workspace } = this
    const fresh = workspace.freshKey()
    if ((await workspace.create(fresh)) === 'opened') {
      const [last] = workspace.open.slice(-1)
      if (last !== undefined && (await workspace.close(last)) && (await workspace.awaitClosed(last, CLOSED_MS))) {
        await this.#machine.wait(LAG_MS)
        const again = await workspace.create(waiting)
        if (again === 'full' || again === 'refused')
          this.rulings.push(broken('refused-key-stuck', 'the key stayed refused while fresh keys were served'))
      }
      return
    }
    await this.#confirm(circumstance, { create: fresh, key: this.#machine.key.name })
  }

  /** A place that was not given in time still is not, with nobody else in the workspace just before and just after it. */
  async #confirm(circumstance: Circumstance, { create, key }: Waiting): Promise<void> {
    await this.#look()
    if ((await this.workspace.create(create, { key })) === 'full') this.#settle(circumstance, key)
    await this.#look()
  }

  /** Uses all, closes all and sends more creates at once than there are places: as many as before find one, and no more. */
  async #volleyFromEmpty(cap: number): Promise<void> {
    const { workspace } = this
    await this.#closeAll(await this.#channels.use(workspace.open))
    const refused = await this.#volley(Math.min(cap + VOLLEY, this.#ceiling + VOLLEY))
    const left = await this.#fillUp(refused, cap)
    if (left !== undefined && workspace.open.length < cap) await this.#countPlaces()
    else if (workspace.open.length === cap) this.#given.push('after-close')
  }

  /** Fewer places than before: with all closed that was opened, and made by creates whose answer was lost, they are counted. */
  async #countPlaces(): Promise<void> {
    await this.#look()
    await this.workspace.cleanUp()
    await this.#closeAll()
    if (this.workspace.closing.length > 0) return
    await this.#machine.wait(GRACE_MS)
    await this.#climb('after-close')
    await this.#look()
  }

  /** Creates that were refused in a volley find the places that are left. @returns one that found none */
  async #fillUp(refused: readonly string[], cap: number): Promise<string | undefined> {
    for (const key of refused) {
      if (this.workspace.open.length >= cap) return undefined
      if ((await this.#awaitPlace(key)) !== undefined) continue
      await this.#confirm('after-close', { create: key, key: this.#machine.key.name })
      return key
    }
    return undefined
  }

  /** What was found one by one is found once more: then what came beyond it was too much. */
  async #climbAgain(): Promise<void> {
    await this.#closeAll()
    await this.#machine.wait(GRACE_MS + LAG_MS)
    await this.#climb()
    await this.#look()
  }

  async #closeAll(hangUp?: HangUp): Promise<void> {
    const { workspace } = this
    await Promise.all(workspace.open.map((session) => workspace.close(session)))
    hangUp?.()
    await this.#awaitClosed()
  }

  async #awaitClosed(): Promise<void> {
    const { workspace } = this
    await Promise.all(workspace.closing.map((session) => workspace.awaitClosed(session, CLOSED_MS)))
  }
}

const circumstances: readonly Circumstance[] = ['after-close', 'after-refusals', 'after-repeats', 'after-given-up']
