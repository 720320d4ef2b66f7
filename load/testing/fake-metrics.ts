/** One number that a script added to a metric. */
interface Sample {
  readonly value: number
  readonly tags: { readonly [tag: string]: string }
}

type MetricType = 'counter' | 'gauge' | 'rate' | 'trend'

interface Metric {
  readonly type: MetricType
  readonly samples: Sample[]
}

/** What k6 keeps of a metric for `handleSummary`. */
export interface MetricSummary {
  readonly type: MetricType
  readonly values: { readonly [value: string]: number }
  readonly thresholds?: { readonly [expression: string]: { readonly ok: boolean } }
}

/** All metrics of a run. As in k6, a tag has a number of its own only where a threshold names it. */
export class FakeMetrics {
  readonly #metrics = new Map<string, Metric>()

  /** @throws Error when the name is taken by another type */
  declare(name: string, type: MetricType): void {
    const known = this.#metrics.get(name)
    if (known !== undefined && known.type !== type)
      throw new Error(`metric '${name}' already exists as a ${known.type}`)
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) throw new Error(`invalid metric name: '${name}'`)
    if (known === undefined) this.#metrics.set(name, { type, samples: [] })
  }

  add(name: string, value: number, tags: Sample['tags']): void {
    this.#metrics.get(name)?.samples.push({ value, tags })
  }

  /** @param thresholds by metric, or by metric and tags: `name{tag:value}` */
  summary(thresholds: { readonly [metric: string]: readonly string[] }): { readonly [metric: string]: MetricSummary } {
    const whole = [...this.#metrics].filter(([, { samples }]) => samples.length > 0)
    const tagged = new Map([...this.#metrics].map(([name, metric]) => [name, byTag(metric)]))
    const named = Object.entries(thresholds).map(([selector, expressions]): [string, MetricSummary] => {
      const { name, tag } = readSelector(selector)
      const metric = this.#metrics.get(name) ?? { type: 'counter', samples: [] }
      const samples = tag === undefined ? metric.samples : (tagged.get(name)?.get(tag) ?? [])
      const values = valuesOf({ type: metric.type, samples })
      const judged = expressions.map((expression): [string, { ok: boolean }] => [
        expression,
        { ok: holds(expression, values) },
      ])
      return [selector, { type: metric.type, values, thresholds: Object.fromEntries(judged) }]
    })
    const plain = whole.map(([name, metric]): [string, MetricSummary] => [
      name,
      { type: metric.type, values: valuesOf(metric) },
    ])
    return Object.fromEntries([...plain, ...named])
  }
}

/** `name` or `name{tag:value}`. @throws Error for more than one tag, which the fake does not know */
function readSelector(selector: string): { readonly name: string; readonly tag: string | undefined } {
  const brace = selector.indexOf('{')
  if (brace === -1) return { name: selector, tag: undefined }
  const tag = selector.slice(brace + 1, -1)
  if (tag.includes(',') || !selector.endsWith('}'))
    throw new Error(`the fake k6 knows one tag in a threshold: ${selector}`)
  return { name: selector.slice(0, brace), tag }
}

function byTag({ samples }: Metric): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    for (const [tag, value] of Object.entries(sample.tags)) {
      const group = groups.get(`${tag}:${value}`) ?? []
      group.push(sample)
      groups.set(`${tag}:${value}`, group)
    }
  }
  return groups
}

function valuesOf({ type, samples }: Metric): MetricSummary['values'] {
  const values = samples.map(({ value }) => value)
  const sum = values.reduce((total, value) => total + value, 0)
  if (type === 'counter') return { count: sum }
  if (type === 'gauge') return { value: values.at(-1) ?? 0 }
  if (type === 'rate')
    return { rate: values.length === 0 ? 0 : values.filter((value) => value !== 0).length / values.length }
  return { count: values.length, avg: values.length === 0 ? 0 : sum / values.length, max: Math.max(...values) }
}

/** Thousands of thresholds have the same few expressions. */
const known = new Map<string, { readonly name: string; readonly operator: string; readonly bound: string }>()

function parts(expression: string): NonNullable<ReturnType<(typeof known)['get']>> {
  const earlier = known.get(expression)
  if (earlier !== undefined) return earlier
  const [, name = '', operator = '', bound = ''] = /^(\w+)\s*(>=|<=|==|>|<)\s*(\S+)$/.exec(expression) ?? []
  const read = { name, operator, bound }
  known.set(expression, read)
  return read
}

function holds(expression: string, values: MetricSummary['values']): boolean {
  const { name, operator, bound } = parts(expression)
  const value = values[name] ?? 0
  if (operator === '>=') return value >= Number(bound)
  if (operator === '<=') return value <= Number(bound)
  if (operator === '==') return value === Number(bound)
  return operator === '>' ? value > Number(bound) : value < Number(bound)
}
