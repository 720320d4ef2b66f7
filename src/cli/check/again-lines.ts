import { join } from 'node:path'
import type { Results } from '#judge/results'
import type { TraceIndex } from '#judge/trace-index'
import type { Replay } from '#replay/replay-file'
import { isOneRequest } from '#replay/script/make-script'
import type { Resend } from '#report/curl'
import { shellWord } from '#report/shell-quote'
import { operations, type OperationId } from '#spec/tables'
import { at } from '#trace/json'
import { shown } from './out-folder.ts'

interface Again {
  readonly results: Results
  readonly index: TraceIndex
  readonly replays: ReadonlyMap<string, Replay>
  /** Folder of the replay files and their scripts. */
  readonly folder: string
  /** Makes the curl line of one request. */
  readonly curl: Resend
}

/**
 * The line that shows a failure again: curl where one request says it all, else the script beside the replay file, since
 * what the request speaks of was ended with the run.
 */
export function againLines({ results, index, replays, folder, curl }: Again): Resend {
  const scripts = new Map<string, string>()
  for (const { id, failures } of [...results.requirements, ...results.unscored]) {
    const replay = replays.get(id)
    const evidence = failures?.[0]?.evidence
    if (replay === undefined || evidence === undefined) continue
    if (!isOneRequest(replay)) scripts.set(evidence.join(), scriptLine(folder, id, results.target.profile))
  }
  const alone = new Set([...replays].filter(([, replay]) => isOneRequest(replay)).map(([id]) => id))
  const first = new Set(
    results.requirements.flatMap(({ id, failures }) => (alone.has(id) ? (failures?.[0]?.evidence.join() ?? []) : [])),
  )
  return (lines) => {
    const script = scripts.get(lines.join())
    if (script !== undefined) return script
    return first.has(lines.join()) || speaksForItself(lines, index) ? curl(lines) : undefined
  }
}

/** One request that names nothing that the run made. */
function speaksForItself(lines: readonly number[], { entries, asked }: TraceIndex): boolean {
  const about = lines.map((line) => entries[line - 1])
  const exchanges = new Set(
    about.map((entry) => (entry !== undefined && 'exchange' in entry ? entry.exchange : undefined)),
  )
  const [only] = exchanges
  if (exchanges.size !== 1 || only === undefined) return false
  const operation = asked.get(only)?.operation
  return typeof operation === 'string' && !operations[operation as OperationId].path.includes('{')
}

/** Name of the script beside a replay file. */
export function scriptFile(folder: string, requirement: string): string {
  return join(folder, `${requirement}.mjs`)
}

function scriptLine(folder: string, requirement: string, profile: Results['target']['profile']): string {
  const ca = at(profile, '/ca_file')
  const trusts = typeof ca === 'string' ? `NODE_EXTRA_CA_CERTS=${shellWord(ca)} ` : ''
  return `${trusts}node ${shellWord(shown(scriptFile(folder, requirement)))}`
}
