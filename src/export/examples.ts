import type { ShapeName } from '#spec/schemas'
import type { Exhibit } from '#spec/types/shapes.d'

export type Exhibits = ReadonlyMap<ShapeName, Exhibit>

/** The first valid instance of a shape and what it shows. @throws Error where there is none */
export function exampleOf(shape: ShapeName, exhibits: Exhibits): { readonly summary: string; readonly value: unknown } {
  const valid = exhibits.get(shape)?.tests.find((test) => test.valid)
  if (valid === undefined) throw new Error(`${shape} has no valid exhibit`)
  return { summary: valid.description, value: valid.data }
}
