import type { RequirementId } from './register.ts'

/** The words of a text, or of several. */
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text
type WordsOf<Lines> = Words<Lines extends readonly (infer Line extends string)[] ? Line : Lines & string>

/** Rows by subject, the last words of their ids in a text: `{ 'item-delete': 'answered once' }` has two rows. */
export interface Subjects {
  readonly [subject: string]: string | readonly string[]
}

/** Ids, without the part's name, that they expand to. */
export type RowIn<F extends Subjects> = { [S in keyof F & string]: `${S}.${WordsOf<F[S]>}` }[keyof F & string]

/** Subjects of which every row is one of the part's; what is none does not compile. */
export type Known<F extends Subjects, Row extends string> = {
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
export function expand(subjects: Subjects): readonly string[] {
  return Object.entries(subjects).flatMap(([subject, lines]) =>
    [lines].flat().flatMap((line) => line.split(' ').map((word) => `${subject}.${word}`)),
  )
}

/** Expands rows of one part. */
export function rowsOf<Row extends string>() {
  return <const F extends Subjects>(subjects: F & Known<F, Row>) =>
    expand(subjects) as readonly Extract<RowIn<F>, Row>[]
}
