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

/** A parser of an option that may be given several times. */
export function repeated(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value]
}
