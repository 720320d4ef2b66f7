import type { Entry } from '#trace/entry'
import type { Story } from '../story.ts'

/** Opens, frames and closes of a story's channels as NDJSON, each with its line in the trace; empty without channels. */
export function framesText(story: Story, entries: readonly Entry[]): string {
  const lines = story.channels.flatMap(({ open, opened, refused, closed, frames }) => [
    open.line,
    ...(opened === undefined ? [] : [opened.line]),
    ...(refused === undefined ? [] : [refused.line]),
    ...frames.map(({ line }) => line),
    ...(closed === undefined ? [] : [closed.line]),
  ])
  return lines
    .toSorted((a, b) => a - b)
    .map((line) => `${JSON.stringify({ line, ...entries[line - 1] })}\n`)
    .join('')
}
