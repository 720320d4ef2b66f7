/** An RFC 3339 time with microseconds and an offset in place of `Z`. */
export function stamp(time: number): string {
  return new Date(time).toISOString().replace('Z', '417+00:00')
}

/** Section 2.7: UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
export function secondsStamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
