import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { confirmationId } from '#judge/confirmations'
import { register } from '#judge/register'
import type { RequirementResult, Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import { replaysOf, type ReplaySource } from '#replay/make-replay'
import type { Replay } from '#replay/replay-file'
import { isOneRequest, makeScript } from '#replay/script/make-script'
import type { Entry } from '#trace/entry'
import { at, listAt, stringAt } from '#trace/json'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../write-whole.ts'
import { filesIn } from './files-in.ts'
import { scriptFile } from './again-lines.ts'
import type { OutFolder } from './out-folder.ts'

/** More than this nobody opens; a target that is wrong everywhere is wrong for few reasons. */
const mostFiles = 300

/**
 * Writes a replay file for each broken row, a script beside it where one line of curl does not say it all, and keeps of the uploaded files those that they need.
 *
 * @returns the files by requirement
 * @throws the system's error
 */
export function writeReplays(
  results: Results,
  index: TraceIndex,
  rules: readonly Rule[],
  out: OutFolder,
): ReadonlyMap<string, Replay> {
  const source = { index, results, rules, register: register().rows }
  const broken = [...results.requirements, ...results.unscored].filter(isBroken).slice(0, mostFiles)
  const sent = new Set(index.entries.flatMap((entry) => (entry.kind === 'scenario-start' ? [entry.scenario] : [])))
  const replays = new Map<string, Replay>()
  for (const row of broken) {
    const replay = replayOf(row, source, sent)
    if (replay === undefined) continue
    makeFolder(out.replays)
    // A replay file without a script beside it says that one line of curl shows the failure: the script comes first.
    if (!isOneRequest(replay)) writeWhole(scriptFile(out.replays, row.id), makeScript(replay, results.target.profile))
    writeWhole(join(out.replays, `${row.id}.json`), `${JSON.stringify(replay, undefined, 1)}\n`)
    replays.set(row.id, replay)
  }
  const needed = new Set([...replays.values()].flatMap(({ steps }) => steps.flatMap(digestsIn)))
  for (const name of filesIn(out.uploads)) if (!needed.has(name)) rmSync(join(out.uploads, name), { force: true })
  return replays
}

/** The first failure that can be cut out; where it was not seen again and another one was, that one. */
function replayOf(row: RequirementResult, source: ReplaySource, sent: ReadonlySet<string>): Replay | undefined {
  const found = replaysOf(row, source)
  const first = found.next().value?.replay
  const isOther = row.sent_again?.outcome === 'reproduced' && sent.has(confirmationId(row.id, 'other'))
  return isOther ? (found.next().value?.replay ?? first) : first
}

function isBroken({ verdict, failures }: RequirementResult): boolean {
  return failures !== undefined && ['fail', 'warn', 'waived'].includes(verdict)
}

/** Digests of the files that a request uploads. */
function digestsIn(entry: Entry): readonly string[] {
  if (entry.kind !== 'request' || at(entry.body, '/multipart') === undefined) return []
  return listAt(entry.body, '/multipart').flatMap((part) => stringAt(part, '/sha256') ?? [])
}
