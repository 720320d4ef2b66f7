/** Tells whether an operation is one of these. */
export const among =
  <One extends string>(names: readonly One[]) =>
  (operation: string): operation is One =>
    (names as readonly string[]).includes(operation)
