import type { Exchange } from '#client/types'
import { printable } from '#text/printable'
import type { AskTools } from './ask-target.ts'

/** What a target showed of one thing that it may offer. */
export interface Seen {
  /** Undefined where what it answered tells neither. */
  readonly offered: boolean | undefined
  /** What it answered, in words. */
  readonly why: string
}

export const notAsked: Seen = { offered: undefined, why: 'not asked' }

/** An answer, in words. */
export function toldBy({ failure, code, status, message }: Exchange, { redact }: Pick<AskTools, 'redact'>): string {
  if (failure !== undefined) return `no reply (${failure})`
  if (code === undefined) return `HTTP ${status} without an envelope`
  return code === 0 ? 'accepted' : `refused with ${code} ${JSON.stringify(printable(redact(message ?? ''), 120))}`
}

/** Neither the target's own word, nor one that lasts. */
export function isPassing({ failure, code, status }: Exchange): boolean {
  return failure !== undefined || status === 429 || (status >= 500 && status !== 501 && code === undefined)
}
