import { theK6 } from '../fake-k6.ts'

type Tags = { readonly [tag: string]: string }

class FakeMetric {
  readonly name: string

  constructor(name: string, type: 'counter' | 'gauge' | 'rate' | 'trend') {
    if (theK6().user !== undefined) throw new Error('metrics must be declared in the init context')
    this.name = name
    theK6().metrics.declare(name, type)
  }

  add(value: number | boolean, tags: Tags = {}): void {
    theK6().metrics.add(this.name, Number(value), tags)
  }
}

export class Counter extends FakeMetric {
  constructor(name: string) {
    super(name, 'counter')
  }
}

export class Trend extends FakeMetric {
  constructor(name: string) {
    super(name, 'trend')
  }
}
