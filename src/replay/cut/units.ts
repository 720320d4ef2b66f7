import type { ClaimEntry, Entry } from '#trace/entry'
import { isObject } from '#trace/json'

/** What of a trace is kept or dropped as a whole: an exchange, a channel, a mark or a wait; such as `exchange 12`. */
export type Unit = string

/** The unit that an entry belongs to; undefined for a claim, and for what frames the run. @param line from 1 */
export function unitOf(entry: Entry, line: number): Unit | undefined {
  if ('exchange' in entry) return `exchange ${entry.exchange}`
  if ('channel' in entry) return `channel ${entry.channel}`
  if (entry.kind === 'mark') return `mark ${entry.mark}`
  return entry.kind === 'wait' ? `wait ${line}` : undefined
}

/** The units that a claim speaks of. @param channelOf the channel of a frame */
export function unitsOfClaim(
  { condition, given = [] }: ClaimEntry,
  channelOf: (frame: number) => number | undefined,
): ReadonlySet<Unit> {
  const found = new Set<Unit>()
  collect([condition, ...given], undefined, found, channelOf)
  return found
}

function collect(
  value: unknown,
  within: unknown,
  found: Set<Unit>,
  channelOf: (frame: number) => number | undefined,
): void {
  if (Array.isArray(value)) for (const one of value) collect(one, within, found, channelOf)
  if (!isObject(value)) return
  const is = value['is'] ?? within
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'number') add(name, inner, is)
    else collect(inner, is, found, channelOf)
  }

  function add(name: string, number: number, condition: unknown): void {
    if (name === 'exchange' || name === 'channel' || name === 'mark') found.add(`${name} ${number}`)
    if (name === 'twin') found.add(`${condition === 'refused' ? 'channel' : 'exchange'} ${number}`)
    const channel = name === 'frame' || name === 'sent' ? channelOf(number) : undefined
    if (channel !== undefined) found.add(`channel ${channel}`)
  }
}
