import { hash } from 'node:crypto'

/**
 * The chain of a trace: the last member of each line, `link`, is a digest of the line and of the link before it, so that
 * a line that is changed, cut out, put in or moved later shows. Whoever makes all later links anew can hide it: the chain
 * protects a trace as far as something outside of it (a signature, say) holds its end.
 */

/** Letters of a link: 96 bits, in base64url. */
const linkLength = 16
const linkAtEnd = new RegExp(`,"link":"([\\w-]{${linkLength}})"\\}$`)
const suffixLength = ',"link":""}'.length + linkLength

/** What the first line follows. */
export const chainStart = ''

/** A line with its link. @param json the entry, an object with at least one member */
export function linkedLine(previous: string, json: string): { readonly line: string; readonly link: string } {
  const link = hash('sha256', previous + json, 'base64url').slice(0, linkLength)
  return { line: `${json.slice(0, -1)},"link":"${link}"}`, link }
}

/** The link that a line carries; the chain's start where it carries none, as in traces of earlier versions. */
export function linkOf(line: string): string {
  return linkAtEnd.exec(line)?.[1] ?? chainStart
}

/** Where a trace does not hang together. */
export interface ChainFlaw {
  /** From 1. */
  readonly line: number
  /** `link`: the line does not follow from those before it. `time`: it is earlier than the line before it. */
  readonly what: 'link' | 'time'
}

/**
 * Looks for the first line that does not follow from those before it.
 *
 * @param text a trace that could be read, so each line is JSON; a last line without its newline is a flaw
 * @param entries what its lines hold, where they were read before
 */
export function findFlaw(text: string, entries: readonly { readonly t: number }[] = []): ChainFlaw | undefined {
  const lines = text.split('\n')
  const rest = lines.pop()
  let [previous, time] = [chainStart, 0]
  for (const [place, line] of lines.entries()) {
    const json = `${line.slice(0, -suffixLength)}}`
    const { link } = linkedLine(previous, json)
    if (linkOf(line) !== link) return { line: place + 1, what: 'link' }
    const { t } = entries[place] ?? (JSON.parse(line) as { readonly t: number })
    if (t < time) return { line: place + 1, what: 'time' }
    ;[previous, time] = [link, t]
  }
  return rest === '' ? undefined : { line: lines.length + 1, what: 'link' }
}
