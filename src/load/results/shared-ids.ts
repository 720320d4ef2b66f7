import { type Finding, some } from '../../../load/core/findings.ts'
import { workspaceOf } from '#spec/profile'
import type { K6Line } from '../k6/lines.ts'

interface Kind {
  readonly what: string
  readonly requirement?: string
}

/** What gets an id of its own. Of characters no row of the register says that. */
const kinds: { readonly [resource: string]: Kind | undefined } = {
  'avatar-session': {
    what: 'avatar sessions were given the id of an open one that has another idempotency key',
    requirement: 'avatar-sessions.idempotency.other-key-other-session',
  },
  'world-session': {
    what: 'world sessions were given the id of an open one that has another idempotency key',
    requirement: 'world-sessions.idempotency.other-key-other-session',
  },
  'audio-file': {
    what: 'audio files were given an id that another one of other bytes has',
    requirement: 'audio-files.file.ids-distinct',
  },
  character: { what: 'characters were given the id of another one that is there' },
}

/** So many things are remembered: a run of hours makes more, and what mixes them up does so among fewer. */
const REMEMBERED = 200_000

/**
 * Ids that were given to two, whichever users and processes asked for them: no user knows what others were given. A session or
 * character that has ended may leave its id to another one.
 */
export class SharedIds {
  /** Creates that were not answered yet: of which kind, in which workspace, and whose. */
  readonly #asked = new Map<string, { readonly resource: string; readonly workspace: string; readonly owner: string }>()
  readonly #workspaces = new Set<string>()
  readonly #owners = new Map<string, string>()
  readonly #shared = new Map<string, number>()

  take(line: K6Line): void {
    if (line.kind === 'create') {
      const { resource, key, idempotency_key } = line.intent
      const owner = typeof idempotency_key === 'string' ? idempotency_key : line.create
      // Each workspace may count for itself; keys that nothing is known of may be of any.
      const workspace = typeof key === 'string' ? workspaceOf(key) : 'primary'
      this.#workspaces.add(workspace)
      if (typeof resource === 'string') this.#asked.set(line.create, { resource, workspace, owner })
    } else if (line.kind === 'none') this.#asked.delete(line.create)
    else if (line.kind === 'created') this.#created(line.create, line.id)
    else if (line.kind === 'ended')
      for (const workspace of this.#workspaces) this.#owners.delete(`${line.resource} ${workspace} ${line.id}`)
  }

  #created(create: string, id: string): void {
    const asked = this.#asked.get(create)
    this.#asked.delete(create)
    if (asked === undefined || kinds[asked.resource] === undefined) return
    const { resource, workspace, owner } = asked
    const place = `${resource} ${workspace} ${id}`
    const before = this.#owners.get(place)
    if (before !== undefined && before !== owner) this.#shared.set(resource, (this.#shared.get(resource) ?? 0) + 1)
    else if (this.#owners.size < REMEMBERED) this.#owners.set(place, owner)
  }

  /** In words; none where each had its own. */
  findings(): Finding[] {
    return [...this.#shared].flatMap(([resource, count]) => {
      const kind = kinds[resource]
      return kind === undefined ? [] : some(count, kind.what, kind.requirement)
    })
  }
}
