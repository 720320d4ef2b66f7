import { theK6 } from '../fake-k6.ts'

/** Made once for all users. In k6 it is an object that looks like an array; here it is one. */
export class SharedArray<Value> extends Array<Value> {
  constructor(name: string, make: () => Value[]) {
    super()
    const { shared } = theK6()
    const made = shared.get(name) ?? make()
    shared.set(name, made)
    this.push(...(made as Value[]))
  }

  /** What arrays make of it is a plain one. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}
