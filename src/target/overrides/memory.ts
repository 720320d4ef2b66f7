/** A value kept for each object, made on first use. */
export function memory<Value>(make: () => Value): (key: object) => Value {
  const kept = new WeakMap<object, Value>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    return made
  }
}
