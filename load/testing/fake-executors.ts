/** Options of an executor, as far as the fake knows them. */
export interface ExecutorOptions {
  readonly executor: string
  readonly vus?: number
  readonly iterations?: number
  readonly preAllocatedVUs?: number
  readonly maxVUs?: number
  readonly startRate?: number
  readonly rate?: number
  readonly timeUnit?: string
  readonly duration?: string
  readonly stages?: readonly { readonly duration: string; readonly target: number }[]
}

/** When an arrival-rate executor begins its iterations, in milliseconds from its start. @throws Error for another executor */
export function dueTimes(options: ExecutorOptions): number[] {
  const unit = msOf(options.timeUnit ?? '1s')
  if (options.executor === 'constant-arrival-rate') {
    const period = unit / (options.rate ?? 1)
    const due = Array.from({ length: Math.ceil(msOf(options.duration ?? '0s') / period) }, (_, index) => index * period)
    return due.filter((at) => at < msOf(options.duration ?? '0s'))
  }
  if (options.executor !== 'ramping-arrival-rate') throw new Error(`the fake k6 has no executor ${options.executor}`)
  return ramp((options.startRate ?? 0) / unit, options.stages ?? [], unit)
}

/** k6 begins one when the area under the rate has grown by 1. It is found by steps here, so that a mistake in the formula shows. */
function ramp(startRate: number, stages: NonNullable<ExecutorOptions['stages']>, unit: number): number[] {
  const due: number[] = []
  let [from, start, area] = [startRate, 0, 0]
  for (const { duration, target } of stages) {
    const [length, to] = [msOf(duration), target / unit]
    for (let at = STEP; at <= length; at += STEP) {
      area += STEP * (from + ((to - from) * (at - STEP / 2)) / length)
      if (area >= due.length + 1 - 1e-9) due.push(start + at)
    }
    start += length
    from = to
  }
  return due
}

const STEP = 0.5

/** `90s`, `1h`, `1500ms`, `1m30s`. */
function msOf(duration: string): number {
  const units: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0)
}
