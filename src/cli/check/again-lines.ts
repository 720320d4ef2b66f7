import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { givenIds, namesGiven } from '#replay/cut/ids'
import type { Resend } from '#report/curl'
import { shellWord, withVariable } from '#report/shell-quote'
import { at, type Json } from '#trace/json'

/** How the first failure of a row is shown again: by one line of curl that says all of it, or by the script of its replay. */
export type ShownBy = 'curl' | 'script'

interface Again {
  /** As `results.json` shows it: names of environment variables, no values. */
  readonly profile: Json
  readonly index: TraceIndex
  /** Undefined for a row whose failure was not cut out of the run. */
  readonly shownBy: (requirement: string) => ShownBy | undefined
  /** Folder of the replay files and their scripts, as a reader would type it. */
  readonly folder: string
  /** Makes the curl line of one request. */
  readonly curl: Resend
}

/**
 * The line that shows a failure again: curl where one request says it all, else the script beside the replay file, since
 * what the request speaks of was ended with the run.
 */
export function againLines({ profile, index, shownBy, folder, curl }: Again): Resend {
  const given = readOnce(({ entries }: TraceIndex) => givenIds(entries))
  return (lines, requirement) => {
    const by = requirement === undefined ? undefined : shownBy(requirement)
    if (by === 'script') return scriptLine(scriptFile(folder, requirement ?? ''), profile)
    return by === 'curl' || speaksForItself(lines, index, given) ? curl(lines) : undefined
  }
}

/** What shows the rows of a run that is over, as the files beside its results tell it. */
export function shownByFiles(folder: string): (requirement: string) => ShownBy | undefined {
  return (requirement) => {
    if (!existsSync(join(folder, `${requirement}.json`))) return undefined
    return existsSync(scriptFile(folder, requirement)) ? 'script' : 'curl'
  }
}

/** One request that names nothing that the run made. */
function speaksForItself(
  lines: readonly number[],
  index: TraceIndex,
  given: (index: TraceIndex) => ReadonlyMap<string, number>,
): boolean {
  const { entries, asked } = index
  const about = lines.map((line) => entries[line - 1])
  const exchanges = new Set(
    about.map((entry) => (entry !== undefined && 'exchange' in entry ? entry.exchange : undefined)),
  )
  const [only] = exchanges
  if (exchanges.size !== 1 || only === undefined) return false
  const request = asked.get(only)?.attempts[0]?.request
  return request !== undefined && !namesGiven(request.entry, request.line - 1, given(index))
}

/** Name of the script beside a replay file. */
export function scriptFile(folder: string, requirement: string): string {
  return join(folder, `${requirement}.mjs`)
}

function scriptLine(file: string, profile: Json): string {
  const ca = at(profile, '/ca_file')
  const proxy = at(profile, '/proxy')
  return [
    ...(typeof ca === 'string' ? [`NODE_EXTRA_CA_CERTS=${shellWord(ca)}`] : []),
    // Node 24 and newer use it.
    ...(typeof proxy === 'string' ? ['NODE_USE_ENV_PROXY=1', `HTTPS_PROXY=${withVariable('', proxy, 'PROXY')}`] : []),
    `node ${shellWord(file)}`,
  ].join(' ')
}
