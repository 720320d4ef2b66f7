import type { TraceIndex } from '../trace-index.ts'

/** What a request says, without the names that a run makes up: they are never the same twice, and say nothing. */
export function withoutOwnNames(header: TraceIndex['header'], words: string): string {
  return header === undefined ? words : words.replaceAll(new RegExp(`-${header.run}-\\d+`, 'g'), '')
}
