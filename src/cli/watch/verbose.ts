import { printable } from '#text/printable'
import { type Entry, scenarioOf } from '#trace/entry'
import { at, type Json } from '#trace/json'

/** Kinds of entries that `--verbose` shows. */
export const verboseKinds: ReadonlySet<Entry['kind']> = new Set([
  'scenario-start',
  'scenario-end',
  'request',
  'response',
  'failure',
  'channel-open',
  'channel-opened',
  'channel-refused',
  'channel-closed',
  'frame-sent',
  'frame-received',
  'wait',
  'halt',
])

/** What an entry of the trace says to somebody who watches; the trace holds no secrets. */
export function verboseLines(entry: Entry): readonly string[] {
  const said = saidOf(entry)
  if (said === undefined) return []
  const seconds = (entry.t / 1_000).toFixed(2).padStart(7)
  return [`${seconds} s  ${scenarioOf(entry) ?? 'run'}  ${printable(said)}`]
}

function saidOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'scenario-start':
      return 'starts'
    case 'scenario-end':
      return entry.reason === undefined ? entry.outcome : `${entry.outcome}: ${entry.reason}`
    case 'request':
      return `${entry.exchange}.${entry.attempt} → ${entry.method} ${entry.path} (key ${entry.key})`
    case 'response':
      return `${entry.exchange}.${entry.attempt} ← ${entry.status}${codeOf(entry.body)}, ${entry.bytes} bytes`
    case 'failure':
      return `${entry.exchange}.${entry.attempt} ← ${entry.reason}: ${entry.message}`
    case 'wait':
      return `waited ${(entry.ms / 1_000).toFixed(1)} s (${entry.why})`
    case 'halt':
      return `Greenroom itself stood still for ${(entry.ms / 1_000).toFixed(1)} s`
    default:
      return channelSaid(entry)
  }
}

function channelSaid(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'channel-open':
      return `channel ${entry.channel} opens ${entry.url}`
    case 'channel-opened':
      return `channel ${entry.channel} is open`
    case 'channel-refused':
      return `channel ${entry.channel} refused: ${entry.status ?? entry.reason} ${entry.message}`
    case 'channel-closed':
      return `channel ${entry.channel} closed by ${entry.by}, ${entry.code} ${entry.reason}`
    case 'frame-sent':
      return `channel ${entry.channel} → ${typeOf(entry.data, entry.text)}`
    case 'frame-received':
      return `channel ${entry.channel} ← ${typeOf(entry.data, entry.text)}`
    default:
      return undefined
  }
}

function codeOf(body: Json | undefined): string {
  const [code, message] = [at(body, '/code'), at(body, '/message')]
  if (code === undefined) return ''
  return code === 0 ? ' code 0' : ` code ${JSON.stringify(code)} ${typeof message === 'string' ? message : ''}`
}

function typeOf(data: Json | undefined, text = ''): string {
  const type = at(data, '/type')
  return typeof type === 'string' ? type : (JSON.stringify(data) ?? text)
}
