import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { register } from '#judge/register'
import { judge } from '#judge/judge'
import { resultsText } from '#judge/results-text'
import { packageRoot } from '#spec/package-root'
import { loadRules } from '#scenario/plan/load-rules'
import { parseTrace } from '#trace/reader'

const folder = join(packageRoot(), 'fixtures/traces/frozen')

/** Names of the frozen traces, each with the results that it was judged to. */
export function frozenNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.trace.br'))
    .map((name) => name.slice(0, -'.trace.br'.length))
}

/** The text of a frozen trace, as `trace.ndjson` holds it. */
export function frozenTrace(name: string): string {
  return unpacked(`${name}.trace.br`)
}

/** The bytes of `results.json` that the trace was judged to when it was frozen. */
export function frozenResults(name: string): string {
  return unpacked(`${name}.results.br`)
}

/** The bytes of `results.json` for a trace, as this version of Greenroom judges it. */
export async function resultsOf(trace: string): Promise<string> {
  return resultsText(judge(parseTrace(trace), register(), await loadRules()))
}

/** Keeps a trace with its results, without the path of the machine that it was recorded on. */
export async function freeze(name: string, recorded: string): Promise<void> {
  const trace = recorded.replaceAll(/"(ca_file|voice_sample)":"[^"]*[\\/]([^"]*)"/g, '"$1":"$2"')
  mkdirSync(folder, { recursive: true })
  pack(`${name}.trace.br`, trace)
  pack(`${name}.results.br`, await resultsOf(trace))
}

function unpacked(file: string): string {
  return brotliDecompressSync(readFileSync(join(folder, file))).toString()
}

function pack(file: string, text: string): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(join(folder, file), brotliCompressSync(text, { params }))
}
