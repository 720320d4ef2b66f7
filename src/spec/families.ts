/** A row of `requirements.json`. With `each` it is a family: its id and its text hold a star that other words take. */
export interface RowOrFamily {
  readonly text: string
  /** Words of the id, with the words of the text that go with them. */
  readonly each?: { readonly [word: string]: string }
}

/** A row by itself, with the family that it came from. */
export interface Expanded<Row> {
  readonly id: string
  readonly row: Omit<Row, 'each'>
  readonly family?: Family
}

/** Rows that differ in words of their ids, and in those of their texts that go with them. */
export interface Family {
  /** With a star for these words: `voices.clone.language-*-accepted`. */
  readonly name: string
  readonly text: string
  readonly ids: readonly string[]
}

/** Ids of a file's rows; a family stands for one id each. */
export type ExpandedId<Table> = {
  [Id in keyof Table & string]: Table[Id] extends { readonly each: infer Each }
    ? Id extends `${infer Before}*${infer After}`
      ? `${Before}${keyof Each & string}${After}`
      : never
    : Id
}[keyof Table & string]

/** The rows of a file in its order: those of a family stand where it stands. */
export function expandFamilies<Row extends RowOrFamily>(table: { readonly [id: string]: Row }): Expanded<Row>[] {
  return Object.entries(table).flatMap(([id, { each, ...row }]): Expanded<Row>[] => {
    if (each === undefined) return [{ id, row }]
    const idWith = (word: string): string => id.replace('*', word)
    const family = { name: id, text: row.text, ids: Object.keys(each).map(idWith) }
    return Object.entries(each).map(([word, words]) => {
      return { id: idWith(word), row: { ...row, text: row.text.replace('*', () => words) }, family }
    })
  })
}
