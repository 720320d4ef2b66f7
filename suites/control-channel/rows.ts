import type { RequirementId } from '#spec/register'

type Short<Id> = Id extends `control-channel.${infer Rest}` ? Rest : never

/** Id of a row of this part, without the part's name. */
export type Row = Short<RequirementId>

/** Full ids of rows of this part. */
export function rows(...short: readonly Row[]): readonly RequirementId[] {
  return short.map((one): RequirementId => `control-channel.${one}`)
}
