import { firstPlace } from '#trace/first-place'
import type { Addition, Member } from './additions.ts'
import { assetsOf } from './assets.ts'
import { avatarsOf } from './avatars.ts'
import type { Session } from './sessions.ts'

type Kind = 'asset-add' | 'avatar-add'

/** Assets or avatars of a session, by what was asked before a line. */
export class Book {
  readonly kind: Kind
  readonly session: Session
  readonly given: readonly Member[]
  readonly additions: readonly Addition[]

  constructor(session: Session, kind: Kind) {
    const { given, additions } = kind === 'asset-add' ? assetsOf(session) : avatarsOf(session)
    this.kind = kind
    this.session = session
    this.given = given
    this.additions = additions
  }

  /** What is surely registered under the id: nothing else can stand behind it. */
  taken(id: string, line: number): { readonly member: Member; readonly since: number } | undefined {
    const member = this.given.find((one) => one.id === id)
    if (member !== undefined) return { member, since: 0 }
    for (const { members, confirmed } of this.#before(line)) {
      const own = members.find((one) => one.id === id)
      if (own !== undefined && confirmed !== undefined && confirmed.line < line)
        return { member: own, since: confirmed.line }
    }
    return undefined
  }

  /** Additions of the id, each of which was surely refused, and not for the sake of one that is taken; if there are any. */
  refused(id: string, line: number): readonly Addition[] {
    if (this.given.some((one) => one.id === id)) return []
    const all = this.#before(line).filter(({ members }) => members.some((one) => one.id === id))
    return all.every(({ refused }) => refused !== undefined && refused.line < line) ? all : []
  }

  /** Whether nothing of the session ever named it before. */
  isFresh(id: string, line: number): boolean {
    const named = this.#before(line).some(({ members }) => members.some((one) => one.id === id))
    return !named && !this.given.some((one) => one.id === id)
  }

  hasTaken({ members, sent }: Addition): boolean {
    return members.some(({ id }) => this.taken(id, sent.line) !== undefined)
  }

  /** Confirmed between two lines. */
  grew(after: number, before: number): boolean {
    return this.additions.some(
      ({ confirmed }) => confirmed !== undefined && confirmed.line > after && confirmed.line < before,
    )
  }

  #before(line: number): readonly Addition[] {
    return this.additions.slice(
      0,
      firstPlace(this.additions, ({ sent }) => sent.line >= line),
    )
  }
}
