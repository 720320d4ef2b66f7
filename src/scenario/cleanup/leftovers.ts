import type { ResourceKind } from '../journal/creations.ts'
import type { Obstacle } from '../runner/outcome.ts'

/** After how many things of a kind that could not be ended no more are made: places and quotas must not fill with what is left. */
const most = 3
/** How many ended things are looked at once there is a doubt whether what was ended is over. */
const closeLooks = 3
/** How often such a doubt is followed: reads may lag, time and again. */
const mostDoubts = 3

/** What all scenarios of a run know of things that they could not end. */
export interface Leftovers {
  /** Why no more of the kind is made; undefined while there is no reason. */
  obstacle(resource: ResourceKind): Obstacle | undefined
  /** The target was asked to end it, and it stands. */
  stands(resource: ResourceKind, id: string, reason: string): void
  /** It is over after all. */
  over(resource: ResourceKind, id: string): void
  /** Something of the kind was shown as open after it was ended. */
  doubt(resource: ResourceKind): void
  /** Whether what is ended next is to be looked at; counts. */
  looks(resource: ResourceKind): boolean
  /** Takes note of an id that a create of this run was answered with. */
  made(id: string): void
  /** Whether some create of this run was answered with the id. */
  knows(id: string): boolean
}

interface Kind {
  readonly standing: Map<string, string>
  doubts: number
  looks: number
}

const plural: { readonly [resource in ResourceKind]: string } = {
  'avatar-session': 'avatar sessions',
  'world-session': 'world sessions',
  character: 'characters',
  'audio-file': 'audio files',
  voice: 'voices',
}

export function createLeftovers(): Leftovers {
  const kinds = new Map<ResourceKind, Kind>()
  const ids = new Set<string>()
  const of = (resource: ResourceKind): Kind => {
    const kind = kinds.get(resource) ?? { standing: new Map<string, string>(), doubts: 0, looks: 0 }
    kinds.set(resource, kind)
    return kind
  }
  return {
    obstacle: (resource) => {
      const { standing } = of(resource)
      const [reason = ''] = standing.values()
      if (standing.size < most) return undefined
      return {
        code: 'prerequisite',
        reason: `${standing.size} ${plural[resource]} could not be ended (${reason}), so no more of them are made`,
      }
    },
    stands: (resource, id, reason) => void of(resource).standing.set(id, reason),
    over: (resource, id) => void of(resource).standing.delete(id),
    doubt: (resource) => {
      const kind = of(resource)
      if (kind.looks > 0 || kind.doubts >= mostDoubts) return
      kind.doubts += 1
      kind.looks = closeLooks
    },
    looks: (resource) => {
      const kind = of(resource)
      if (kind.standing.size > 0) return true
      if (kind.looks === 0) return false
      kind.looks -= 1
      return true
    },
    made: (id) => void ids.add(id),
    knows: (id) => ids.has(id),
  }
}
