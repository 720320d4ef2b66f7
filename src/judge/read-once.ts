/** Reads each thing once, however often it is asked for. */
export function readOnce<Of extends object, Found>(read: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, { readonly found: Found }>()
  return (of) => {
    const earlier = known.get(of)
    if (earlier !== undefined) return earlier.found
    const found = read(of)
    known.set(of, { found })
    return found
  }
}
