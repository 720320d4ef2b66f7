import * as fc from 'fast-check'

/**
 * An arbitrary that is made when it is first drawn from; it draws the same. Those of texts take some ten milliseconds each to
 * make, and most processes that load the suites draw nothing.
 */
export function lazily<Value>(make: () => fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return new Lazy(make)
}

class Lazy<Value> extends fc.Arbitrary<Value> {
  readonly #make: () => fc.Arbitrary<Value>
  #known: fc.Arbitrary<Value> | undefined

  constructor(make: () => fc.Arbitrary<Value>) {
    super()
    this.#make = make
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Value> {
    return this.#made().generate(random, biasFactor)
  }

  override canShrinkWithoutContext(value: unknown): value is Value {
    return this.#made().canShrinkWithoutContext(value)
  }

  override shrink(value: Value, context: unknown): fc.Stream<fc.Value<Value>> {
    return this.#made().shrink(value, context)
  }

  #made(): fc.Arbitrary<Value> {
    this.#known ??= this.#make()
    return this.#known
  }
}
