import type { TraceIndex } from '#judge/trace-index'
import { type Html, html, nothing } from '#page/html'
import { number } from '#page/numbers'
import { printable } from '#text/printable'
import type { Entry } from '#trace/entry'

/** Something that was sent or came, on the time line of a failure. */
interface Moment {
  readonly line: number
  readonly entry: Entry
  readonly isEvidence: boolean
}

/** How many entries are shown before and after each line of evidence, on the same channel. */
const before = 3
const after = 2
const momentsShown = 14
const contentShown = { evidence: 1_500, other: 400 }

/** What happened around the evidence: its exchanges whole, and of its channels what stands next to it. */
export function timeLine(index: TraceIndex, evidence: readonly number[]): Html {
  const moments = momentsAround(index, evidence)
  const start = moments[0]?.entry.t ?? 0
  if (moments.length === 0) return nothing
  return html`<ol class="moments">${moments.map((moment) => momentItem(moment, start))}</ol>`
}

function momentsAround(index: TraceIndex, evidence: readonly number[]): readonly Moment[] {
  const lines = new Set<number>()
  for (const line of evidence) for (const near of linesAround(index, line)) lines.add(near)
  const isEvidence = new Set(evidence)
  const ordered = [...lines].toSorted((a, b) => a - b)
  // What does not fit is left out between the pieces of evidence, never the evidence.
  const kept = ordered.filter((line) => isEvidence.has(line)).slice(0, momentsShown)
  const room = ordered.filter((line) => !isEvidence.has(line)).slice(0, momentsShown - kept.length)
  return [...kept, ...room]
    .toSorted((a, b) => a - b)
    .flatMap((line) => {
      const entry = index.entries[line - 1]
      return entry === undefined ? [] : [{ line, entry, isEvidence: isEvidence.has(line) }]
    })
}

function linesAround(index: TraceIndex, line: number): readonly number[] {
  const entry = index.entries[line - 1]
  if (entry === undefined) return []
  if ('exchange' in entry && 'attempt' in entry) return attemptLines(index, entry.exchange, entry.attempt)
  if (!('channel' in entry)) return [line]
  const frames = index.channels.get(entry.channel)?.frames.map((frame) => frame.line) ?? []
  const earlier = frames.filter((one) => one < line).slice(-before)
  return [...earlier, line, ...frames.filter((one) => one > line).slice(0, after)]
}

function attemptLines(index: TraceIndex, exchange: number, attempt: number): readonly number[] {
  const found = index.asked.get(exchange)?.attempts.find(({ request }) => request.entry.attempt === attempt)
  return [found?.request.line, found?.response?.line, found?.failure?.line].filter((line) => line !== undefined)
}

function momentItem({ line, entry, isEvidence }: Moment, start: number): Html {
  const { way, name, content } = told(entry)
  const shown =
    content === ''
      ? nothing
      : html`<pre tabindex="0"><code>${printableLines(content, isEvidence ? contentShown.evidence : contentShown.other)}</code></pre>`
  return html`<li${isEvidence ? html` class="evidence"` : nothing}><span class="soft">+${number(entry.t - start)} ms</span> <span class="way">${way}</span> ${name} <span class="soft">line ${line}${isEvidence ? ', evidence' : ''}</span>${shown}</li>`
}

interface Told {
  readonly way: string
  readonly name: string
  readonly content: string
}

function told(entry: Entry): Told {
  switch (entry.kind) {
    case 'request':
      return {
        way: 'sent',
        name: `${entry.method} ${printable(entry.path, 200)}, key ${printable(entry.key)}`,
        content: entry.text ?? json(entry.body),
      }
    case 'response':
      return { way: 'received', name: `HTTP ${entry.status}`, content: entry.text ?? json(entry.body) }
    case 'failure':
      return { way: 'received', name: `nothing: ${entry.reason}`, content: entry.message }
    case 'frame-sent':
      return { way: 'sent', name: `event on channel ${entry.channel}`, content: entry.text ?? json(entry.data) }
    case 'frame-received':
      return { way: 'received', name: `event on channel ${entry.channel}`, content: entry.text ?? json(entry.data) }
    case 'channel-open':
      return { way: 'sent', name: `opening of channel ${entry.channel}`, content: '' }
    case 'channel-opened':
      return { way: 'received', name: `channel ${entry.channel} is open`, content: '' }
    case 'channel-refused':
      return {
        way: 'received',
        name: `channel ${entry.channel} was refused: ${entry.status ?? entry.reason}`,
        content: entry.message,
      }
    case 'channel-closed':
      return {
        way: entry.by === 'us' ? 'sent' : 'received',
        name: `close ${entry.code} of channel ${entry.channel}`,
        content: entry.reason,
      }
    case 'wait':
      return { way: 'waited', name: `${number(entry.ms)} ms for ${entry.why}`, content: '' }
    case 'halt':
      return { way: 'noted', name: `Greenroom itself stood still for ${number(entry.ms)} ms`, content: '' }
    default:
      return { way: 'noted', name: entry.kind, content: '' }
  }
}

function json(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 1)
}

/** Keeps the lines of our own JSON; all else that could mislead is spelled out by the page. */
function printableLines(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`
}
