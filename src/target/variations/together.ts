import type { Variation } from '../deviation.ts'

/** Variations that act together, in the order of `ids`: what warns of one of them warns of all. */
export function together(
  variations: readonly Variation[],
  { ids, ...said }: Pick<Variation, 'id' | 'section' | 'text'> & { readonly ids: readonly string[] },
): Variation {
  const members = ids.map((id) => {
    const member = variations.find((one) => one.id === id)
    if (member === undefined) throw new Error(`there is no variation ${id} that ${said.id} could hold`)
    return member
  })
  return {
    ...said,
    warns: [...new Set(members.flatMap(({ warns = [] }) => warns))],
    override: (behaviour) => {
      for (const member of members) member.override(behaviour)
    },
  }
}
