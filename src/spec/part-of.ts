/** The part to which a row, a scenario, a choice or a defect belongs: the first word of its id. */
export function partOf(id: string): string {
  return id.split('.', 1)[0] ?? id
}
