import type { RequirementId } from './register.ts'

/** The words of a text, or of several. */
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text
type WordsOf<Lines> = Words<Lines extends readonly (infer Line extends string)[] ? Line : Lines & string>

/** Rows by subject, the last words of their ids in a text: `{ 'item-delete': 'answered once' }` has two rows. */
export interface Families {
  readonly [subject: string]: string | readonly string[]
}

/** Ids, without the part's name, that families expand to. */
export type RowIn<F extends Families> = { [S in keyof F & string]: `${S}.${WordsOf<F[S]>}` }[keyof F & string]

/** Families of which every row is one of the part's; what is none does not compile. */
export type Known<F extends Families, Row extends string> = {
  readonly [S in keyof F]: Exclude<`${S & string}.${WordsOf<F[S]>}`, Row> extends never
    ? F[S]
    : { readonly 'no such row': Exclude<`${S & string}.${WordsOf<F[S]>}`, Row> }
}

/** Ids of a part's rows, without its name. */
export type RowOf<Part extends string> = RequirementId extends infer Id
  ? Id extends `${Part}.${infer Row}`
    ? Row
    : never
  : never

/** The ids, without the part's name. */
export function expand(families: Families): readonly string[] {
  return Object.entries(families).flatMap(([subject, lines]) =>
    [lines].flat().flatMap((line) => line.split(' ').map((word) => `${subject}.${word}`)),
  )
}

/** Expands families of rows of one part. */
export function rowsOf<Row extends string>() {
  return <const F extends Families>(families: F & Known<F, Row>) =>
    expand(families) as readonly Extract<RowIn<F>, Row>[]
}
