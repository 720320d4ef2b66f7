import type { Option } from '#scenario/author/steering'

/** The scenario that goes through files and voices at random. */
export const propertyId = 'voices.library-property'

/** What the walk has made: there is no way to delete either, so that there are few. */
export interface Roster {
  readonly files: number
  readonly voices: number
}

type State = 'nothing' | 'a file' | 'a voice' | 'voices'
export type Move = keyof typeof table

interface Row {
  readonly at: readonly State[]
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const filed = ['a file', 'a voice', 'voices'] as const
const voiced = ['a voice', 'voices'] as const

const table = {
  upload: { at: ['nothing', 'a voice'], weight: 1, price: 1 },
  clone: { at: ['a file', 'voices'], weight: 2, price: 1 },
  'clone-refused': { at: filed, weight: 2, price: 1 },
  list: { at: ['nothing', ...filed], weight: 2, price: 1 },
  get: { at: voiced, weight: 3, price: 1 },
  'get-beside-clone': { at: ['a voice'], weight: 1, price: 4 },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Move[]

/** Every state with all that can be done in it. */
export const pairs: readonly string[] = operations.flatMap((one) => table[one].at.map((state) => `${state} × ${one}`))

/** Files and voices that stay behind, at most. */
const most = { files: 2, voices: 3 } as const

export function optionsOf({ files, voices }: Roster): readonly Option<Move>[] {
  const state: State = voices > 1 ? 'voices' : voices === 1 ? 'a voice' : files > 0 ? 'a file' : 'nothing'
  const isOut = (one: Move) =>
    (one === 'upload' && files >= most.files) || (one.endsWith('clone') && voices >= most.voices)
  return operations
    .filter((one) => (table[one].at as readonly State[]).includes(state) && !isOut(one))
    .map((one) => ({ state, operation: one, move: one, weight: table[one].weight, price: table[one].price }))
}

/** A file is cloned twice, and looked at beside that; what is refused in between leaves nothing. */
export const tour: readonly Move[] = [
  'list',
  'upload',
  'clone-refused',
  'list',
  'clone',
  'get',
  'clone-refused',
  'list',
  'upload',
  'get-beside-clone',
  'clone-refused',
  'list',
  'get',
]
