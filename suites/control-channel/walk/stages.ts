import { pairOf, type Option } from '#scenario/author/steering'

/** How the response came to start that is active. */
export type Start = 'at once' | 'in the place of another' | 'after waiting'

/** How the last response ended, or what came of it. */
export type End = 'whole' | 'early' | 'incomplete' | 'a call' | 'audio' | 'aside'

/** What the walk believes of the session. */
export type Stage =
  | { readonly busy: 'idle'; readonly last: End }
  | { readonly busy: 'active' | 'active, one waits'; readonly last: Start }

/** What not every service has. */
export interface Abilities {
  readonly calls: boolean
  readonly video: boolean
  /** The session is in video from its start. */
  readonly acting: boolean
}

export type Operation = keyof typeof table

interface Row {
  readonly weight: number
  readonly at: readonly Stage['busy'][]
  readonly needs?: keyof Abilities
}

const busy = ['active', 'active, one waits'] as const
const always = ['idle', ...busy] as const

/** What can be done, and when. */
const table = {
  interrupt: { weight: 2, at: always },
  'interrupt briefly': { weight: 2, at: busy },
  'no policy': { weight: 1, at: always },
  'reject if busy': { weight: 3, at: always },
  queue: { weight: 4, at: always },
  'interrupt out of band': { weight: 1, at: busy },
  'cut a long one': { weight: 1, at: always },
  'cut a long one out of band': { weight: 1, at: ['idle'] },
  'cut a long one by one out of band': { weight: 1, at: ['idle'] },
  'cut a long one by a reply': { weight: 1, at: ['idle'] },
  'cut a registered one': { weight: 1, at: ['idle'] },
  'cut one that waited': { weight: 1, at: ['idle'] },
  'cut a long one by audio': { weight: 1, at: ['idle'], needs: 'acting' },
  'interrupt with audio': { weight: 1, at: ['active'], needs: 'acting' },
  'queue out of band': { weight: 1, at: ['active'] },
  'queue out of band and look': { weight: 1, at: ['active'] },
  'queue a registered text': { weight: 1, at: ['active'] },
  'queue an unknown text': { weight: 1, at: ['active'] },
  'queue over a change of mode': { weight: 1, at: ['active'], needs: 'video' },
  'queue on both connections': { weight: 2, at: ['active'] },
  'queue audio': { weight: 1, at: ['active'], needs: 'acting' },
  'queue behind a short one': { weight: 1, at: ['idle'] },
  'queue behind a call': { weight: 1, at: ['idle'], needs: 'calls' },
  'reject beside a call': { weight: 1, at: ['idle'], needs: 'calls' },
  'out of band': { weight: 1, at: always },
  generate: { weight: 1, at: always },
  'generate a little': { weight: 1, at: ['idle'] },
  'generate at length': { weight: 1, at: ['idle'] },
  'speak a registered text': { weight: 1, at: ['idle'] },
  'generate out of band': { weight: 1, at: ['idle'] },
  'call a function': { weight: 1, at: ['idle'], needs: 'calls' },
  'play audio': { weight: 1, at: ['idle'], needs: 'video' },
  'play audio for a while': { weight: 1, at: ['idle'], needs: 'acting' },
  act: { weight: 2, at: always, needs: 'acting' },
  'queue an action': { weight: 1, at: busy, needs: 'acting' },
  'reject behind the text': { weight: 1, at: ['idle'], needs: 'acting' },
  'reject behind the item': { weight: 1, at: ['idle'], needs: 'acting' },
  'three at once': { weight: 1, at: ['idle'] },
  'start on both connections': { weight: 1, at: ['idle'] },
  faulty: { weight: 1, at: always },
  'faulty script': { weight: 1, at: ['active'] },
  'faulty interruption': { weight: 1, at: ['active, one waits'] },
  update: { weight: 1, at: always },
  'add an avatar': { weight: 1, at: ['active, one waits'] },
  'add an asset': { weight: 1, at: ['active, one waits'] },
  'cancel it': { weight: 1, at: busy },
  join: { weight: 1, at: busy },
  linger: { weight: 1, at: busy },
  'hear it out': { weight: 2, at: ['active'] },
  'hear the next': { weight: 2, at: ['active, one waits'] },
  'hear both out': { weight: 2, at: ['active, one waits'] },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Operation[]

/** What comes after an end that is out of the ordinary: anything else would only lead away from it. */
const telling: ReadonlySet<Operation> = new Set(['interrupt', 'no policy', 'reject if busy', 'queue', 'three at once'])

const ends = {
  whole: 'idle',
  early: 'idle, the last ended early',
  incomplete: 'idle, the last ended incomplete',
  'a call': 'idle, the last called a function',
  audio: 'idle, the last played audio',
  aside: 'idle, the last was out of band',
} as const satisfies { readonly [end in End]: string }

const starts = ['at once', 'in the place of another', 'after waiting'] as const

const stages: readonly Stage[] = [
  ...(Object.keys(ends) as readonly End[]).map((last): Stage => ({ busy: 'idle', last })),
  ...busy.flatMap((now) => starts.map((last): Stage => ({ busy: now, last }))),
]

const stateOf = (stage: Stage): string =>
  stage.busy === 'idle' ? ends[stage.last] : `${stage.busy}, started ${stage.last}`

/** What can be done at a stage. */
export function optionsAt(stage: Stage, abilities: Abilities): readonly Option<Operation>[] {
  return operations
    .filter((operation) => mayBe(operation, stage, abilities))
    .map((operation) => ({
      state: stateOf(stage),
      operation,
      move: operation,
      weight: table[operation].weight,
      price: 0,
    }))
}

function mayBe(operation: Operation, stage: Stage, abilities: Abilities): boolean {
  const { at, needs }: Row = table[operation]
  if (!at.includes(stage.busy) || (needs !== undefined && !abilities[needs])) return false
  return stage.busy !== 'idle' || stage.last === 'whole' || stage.last === 'early' || telling.has(operation)
}

/** Every pair that can be made in the sessions of a service together. */
export function pairsWith({ calls, video }: Pick<Abilities, 'calls' | 'video'>): readonly string[] {
  const never = new Set<Start | End>([...(calls ? [] : ['a call' as const]), ...(video ? [] : ['audio' as const])])
  return stages
    .filter(({ last }) => !never.has(last))
    .flatMap((stage) => optionsAt(stage, { calls, video, acting: video }).map(pairOf))
}
