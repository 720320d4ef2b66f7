import type { Entry, HeaderEntry } from '#trace/entry'

const address = /\b127\.0\.0\.1:\d+/g
/** Files of the machine that recorded: their names alone are kept. */
const path = /"(voice_sample|ca_file)":"[^"]*[\\/]([^"]*)"/g

/** What came of the way, not of the service. */
const dropped = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'etag'])

/**
 * An entry as the corpus keeps it: without what ties it to the recording (the chain, the address and files of the machine,
 * the list of requirements of that day), with whole milliseconds.
 */
export function plain(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => {
    const { link: _, ...rest } = entry
    const kept: object = {
      ...rest,
      t: Math.round(entry.t),
      ...headersOf(entry),
      ...(entry.kind === 'header' ? headerOf(entry) : {}),
    }
    return JSON.parse(JSON.stringify(kept).replaceAll(address, 'target.example').replaceAll(path, '"$1":"$2"')) as Entry
  })
}

function headersOf(entry: Entry): object {
  if (entry.kind !== 'response') return {}
  return { headers: Object.fromEntries(Object.entries(entry.headers).filter(([name]) => !dropped.has(name))) }
}

/** The register belongs to a version of Greenroom; the corpus to none. */
function headerOf({ profile }: HeaderEntry): object {
  const { ca_file: _, ...kept } = profile as { readonly [name: string]: unknown }
  return { profile: kept, register: 'corpus' }
}

/** Text of a trace, as its file holds it. */
export function ndjsonOf(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** Whether two texts of traces tell the same, but for times, ids and numbers. */
export function tellSame(one: string, other: string): boolean {
  return masked(one) === masked(other)
}

const words = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g

function masked(text: string): string {
  return text
    .replaceAll(words, '#')
    .replaceAll(/[\w-]*\d[\w.:-]*/g, '#')
    .replaceAll(/"run":"[^"]*"|\(run [^)]*\)/g, '#')
}
