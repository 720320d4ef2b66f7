import { theK6 } from '../fake-k6.ts'

type Tags = { readonly [tag: string]: string }

class FakeMetric {
  readonly name: string
  /** As in k6, it stands for itself. */
  readonly add: (value: number | boolean, tags?: Tags) => void

  constructor(name: string, type: 'counter' | 'gauge' | 'rate' | 'trend') {
    if (theK6().user !== undefined) throw new Error('metrics must be declared in the init context')
    this.name = name
    theK6().metrics.declare(name, type)
    this.add = (value, tags = {}) => theK6().metrics.add(name, Number(value), tags)
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
