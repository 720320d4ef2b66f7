import { isObject, type Json, type JsonObject, parsed } from '#trace/json'

/** What one k6 process says while it runs, one line each, marked `greenroom-<kind> {…}`. */
export type K6Line =
  /** What a virtual user measured since its last line; `at` is the start of its window, in seconds since 1970. */
  | { readonly kind: 'window'; readonly at: number; readonly scenario: string; readonly tally: Numbers }
  /** One entry of a conversation that is recorded in full. */
  | { readonly kind: 'sample'; readonly conversation: string; readonly entry: JsonObject }
  /** Something is about to be asked for that has to be ended again. */
  | { readonly kind: 'create'; readonly create: string; readonly intent: JsonObject }
  | { readonly kind: 'created'; readonly create: string; readonly id: string }
  /** The create was answered, and made nothing. */
  | { readonly kind: 'none'; readonly create: string }
  | { readonly kind: 'ended'; readonly resource: string; readonly id: string }
  /** The result of the process, where it went to no file. */
  | { readonly kind: 'part'; readonly part: JsonObject }

export interface Numbers {
  readonly [name: string]: { readonly [key: string]: number }
}

const marked = /greenroom-(window|sample|create|created|none|ended|part) (\{.*\})\s*$/

/** Reads a line of k6's output, whatever a container's log put in front of it. @returns undefined for any other line */
export function readK6Line(line: string): K6Line | undefined {
  const [, kind, json] = marked.exec(line) ?? []
  const value = json === undefined ? undefined : parsed(json)
  if (kind === undefined || !isObject(value)) return undefined
  return readers[kind]?.(value)
}

const readers: { readonly [kind: string]: (value: JsonObject) => K6Line | undefined } = {
  window: ({ at, scenario, tally }) =>
    typeof at === 'number' && typeof scenario === 'string' && isNumbers(tally)
      ? { kind: 'window', at, scenario, tally }
      : undefined,
  sample: ({ conversation, entry }) =>
    typeof conversation === 'string' && isObject(entry) ? { kind: 'sample', conversation, entry } : undefined,
  create: ({ create, intent }) =>
    typeof create === 'string' && isObject(intent) ? { kind: 'create', create, intent } : undefined,
  created: ({ create, id }) =>
    typeof create === 'string' && typeof id === 'string' ? { kind: 'created', create, id } : undefined,
  none: ({ create }) => (typeof create === 'string' ? { kind: 'none', create } : undefined),
  ended: ({ resource, id }) =>
    typeof resource === 'string' && typeof id === 'string' ? { kind: 'ended', resource, id } : undefined,
  part: (part) => ({ kind: 'part', part }),
}

function isNumbers(value: Json | undefined): value is Numbers {
  return isObject(value) && Object.values(value).every((keys) => isObject(keys) && Object.values(keys).every(isNumber))
}

const isNumber = (value: Json): boolean => typeof value === 'number'

/** Puts chunks of a stream together to whole lines. */
export function lineSplitter(take: (line: string) => void): { add(chunk: string): void; end(): void } {
  let rest = ''
  return {
    add: (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(take)
    },
    end: () => {
      if (rest !== '') take(rest)
      rest = ''
    },
  }
}
