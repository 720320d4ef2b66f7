import { indexTrace, type TraceIndex } from '#judge/trace-index'
import type { ChannelClosedEntry, HeaderEntry } from '#trace/entry'
import type { JsonObject } from '#trace/json'
import { TraceBuilder } from '../trace-builder.ts'

/** One thing that happens in a session. Names of channels are the dialogue's own. */
export type Step =
  | {
      readonly what: 'create'
      readonly session: string
      readonly body: JsonObject
      readonly data: JsonObject
      readonly key?: string
    }
  | { readonly what: 'open'; readonly channel: string; readonly session: string }
  | { readonly what: 'send' | 'come'; readonly channel: string; readonly event: JsonObject; readonly tag: string }
  | { readonly what: 'pass'; readonly ms: number }
  | { readonly what: 'halt'; readonly ms: number }
  | { readonly what: 'end'; readonly channel: string; readonly by: ChannelClosedEntry['by'] }
  /** It is found dead, and was so since something came last. */
  | { readonly what: 'dead'; readonly channel: string }
  | { readonly what: 'rest'; readonly operation: string; readonly path: string; readonly data: JsonObject }

export type Steps = readonly Step[]
export type Change = (steps: Steps) => Steps

/** What the header of the trace says. */
export interface Setting {
  readonly timeouts?: JsonObject
  readonly recording?: HeaderEntry['recording']
}

/** A trace in which these steps happen, a millisecond each. Server events without an `event_id` get one of their own. */
export function traceOf(steps: Steps, { timeouts = {}, recording }: Setting = {}): TraceIndex {
  const builder = new TraceBuilder({
    profile: { base_url: 'https://target.example', keys: {}, timeouts },
    ...(recording === undefined ? {} : { recording }),
  })
  const channels = new Map<string, number>()
  let events = 0
  for (const step of steps) {
    if (step.what === 'create') {
      const data = { session_id: step.session, ...step.data }
      builder.rest('create-avatar-session', { body: { code: 0, message: 'ok', data } }, step.body, step.key)
    } else if (step.what === 'rest') {
      builder.rest(step.operation, { body: { code: 0, message: 'ok', data: step.data } }, {}, 'primary', step.path)
    } else if (step.what === 'open') channels.set(step.channel, builder.opened(step.session))
    else if (step.what === 'pass') builder.pass(step.ms)
    else if (step.what === 'halt') builder.halted(step.ms)
    else if (step.what === 'end') builder.closed(channels.get(step.channel) ?? 0, step.by)
    else if (step.what === 'dead') builder.foundDead(channels.get(step.channel) ?? 0, lastHeard(builder))
    else if (step.what === 'send') builder.sent(channels.get(step.channel) ?? 0, step.event)
    else {
      events += 1
      builder.received(channels.get(step.channel) ?? 0, { event_id: `server-${events}`, ...step.event })
    }
  }
  builder.mark('the end')
  return indexTrace(builder.end().entries)
}

const lastHeard = ({ entries }: TraceBuilder): number =>
  entries.findLast(({ kind }) => kind === 'frame-received' || kind === 'channel-opened')?.t ?? 0

/** Leaves the steps with these tags out. */
export function drop(...tags: readonly string[]): Change {
  return (steps) => {
    for (const tag of tags) known(steps, tag)
    return steps.filter((step) => !tags.includes(tagOf(step)))
  }
}

/** Changes the event of a step. */
export function edit(tag: string, change: (event: JsonObject) => JsonObject): Change {
  return (steps) => {
    known(steps, tag)
    return steps.map((step) => ('event' in step && step.tag === tag ? { ...step, event: change(step.event) } : step))
  }
}

/** Sets fields of the event of a step; undefined takes one away. */
export function set(tag: string, fields: { readonly [name: string]: unknown }): Change {
  return edit(tag, (event) => {
    const kept = Object.entries({ ...event, ...fields }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(kept) as JsonObject
  })
}

/** Puts steps after (or before) the one with a tag. */
export function after(tag: string, ...more: Steps): Change {
  return (steps) => steps.toSpliced(known(steps, tag) + 1, 0, ...more)
}

export function before(tag: string, ...more: Steps): Change {
  return (steps) => steps.toSpliced(known(steps, tag), 0, ...more)
}

/** Lets the event of a step come once more, after another one. */
export function again(tag: string, later = tag): Change {
  return (steps) => {
    const step = steps[known(steps, tag)]
    return step === undefined ? steps : after(later, step)(steps)
  }
}

/** Moves a step behind another one. */
export function move(tag: string, behind: string): Change {
  return (steps) => {
    const place = known(steps, tag)
    const step = steps[place]
    return step === undefined ? steps : after(behind, step)(steps.toSpliced(place, 1))
  }
}

export function all(...changes: readonly Change[]): Change {
  return (steps) => changes.reduce((changed, change) => change(changed), steps)
}

function tagOf(step: Step): string {
  return 'tag' in step ? step.tag : ''
}

/** Place of the step with a tag. */
function known(steps: Steps, tag: string): number {
  const place = steps.findIndex((step) => tagOf(step) === tag)
  if (place < 0) throw new Error(`no step is called ${tag}`)
  return place
}
