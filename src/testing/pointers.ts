/** What stands at a place of a document; undefined where nothing does. Steps may be escaped as in a JSON pointer. */
export function at(document: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((node, step) => {
    if (typeof node !== 'object' || node === null) return undefined
    const fields = node as { readonly [name: string]: unknown }
    return fields[step] ?? fields[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }, document)
}

/** The JSON pointer to a place, as the fragment of a URI. */
export function pointer(place: readonly string[]): string {
  return place.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}

/** All references of a document. */
export function references(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap((value) => references(value))
  return '$ref' in node && typeof node.$ref === 'string' ? [node.$ref, ...inside] : inside
}
