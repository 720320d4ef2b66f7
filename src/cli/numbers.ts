import { InvalidArgumentError } from 'commander'

/** A parser of an option's value: an integer within bounds. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number, at least ${least}.`
        : `It must be a whole number from ${least} to ${most}.`,
    )
  }
}

/** A parser of a time such as `90s`, `3m` or `2m30s`, in seconds. */
export function duration(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d{1,4})m)?(?:(\d{1,5})s)?$/.exec(text) ?? []
  const value = Number(minutes) * 60 + Number(seconds)
  if (value > 0) return value
  throw new InvalidArgumentError('It must be a time such as 3m, 90s or 2m30s.')
}

/** One of several equal parts of a list: its members from the `place`-th on (from 1), each `of`-th. */
export interface Share {
  readonly place: number
  readonly of: number
}

/** A parser of a share such as `2/3`. */
export function share(text: string): Share {
  const [, place = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (place >= 1 && place <= of) return { place, of }
  throw new InvalidArgumentError('It must be a place and a count such as 2/3.')
}

/** A parser of names with commas between them. */
export function names(text: string): readonly string[] {
  const all = text.split(',').map((name) => name.trim())
  if (all.every((name) => name !== '')) return all
  throw new InvalidArgumentError('It must be names with commas between them.')
}

/** A parser of an option that may be given several times, or once with commas between its values. */
export function repeatedNames(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, ...value.split(',').map((name) => name.trim())]
}

/** The same where each has to be one of these. */
export function repeatedChoice<Choice extends string>(choices: readonly Choice[]) {
  return (value: string, earlier: readonly Choice[]): readonly Choice[] => {
    const all = repeatedNames(value, earlier)
    const isKnown = (name: string): name is Choice => choices.some((choice) => choice === name)
    if (all.every(isKnown)) return all
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  }
}

/** A parser of an option that may be given several times. */
export function repeated(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value]
}
