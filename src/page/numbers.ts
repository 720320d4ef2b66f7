/** Made once: `toLocaleString` makes one for each number, and a page has thousands. */
const english = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

/** Three significant digits, thousands apart; a dash where nothing was measured. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
  return english.format(rounded)
}

export function milliseconds(value: number | null | undefined): string {
  const text = number(value)
  return text === '–' ? text : `${text} ms`
}

/** A share of 1, as percent. */
export function percent(share: number | null | undefined): string {
  const text = number(share === null || share === undefined ? share : share * 100)
  return text === '–' ? text : `${text} %`
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** RFC 3339 to the minute, in UTC; what is no date stays as it is. */
export function moment(date: string): string {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
