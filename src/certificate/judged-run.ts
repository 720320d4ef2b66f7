import type { RegisterView } from '#judge/register-view'
import type { Results } from '#judge/results'
import { resultsText } from '#judge/results-text'
import { findFlaw } from '#trace/chain'
import type { HeaderEntry, Tier } from '#trace/entry'
import { parseTrace, type Trace, TraceFormatError } from '#trace/reader'
import type { Carried } from './file.ts'
import { lacksOf } from './lacks.ts'
import { CertificateTrouble, notGenuine } from './trouble.ts'

/** What judges the traces, and what is asked of them. */
export interface Judging {
  /** @throws UnjudgeableTrace for a trace of another requirement set */
  readonly judge: (trace: Trace) => Results
  /** What a whole run drives and leaves out that has the profile, keys and tier of this header. */
  readonly planAnew: (header: HeaderEntry) => Pick<HeaderEntry, 'manifest' | 'skipped'>
  readonly register: RegisterView
  /** Version of this Greenroom. */
  readonly greenroom: string
  /** Which runs are enough. */
  readonly tier: Tier
}

/** Where the files of a run lie in a certificate. */
export type RunName = 'run-1' | 'run-2'

export interface JudgedRun {
  readonly trace: Trace
  readonly results: Results
}

/**
 * Judges the trace of a run anew and compares, byte by byte.
 *
 * @throws CertificateTrouble
 */
export function judgeRun(run: RunName, carried: Carried, judging: Judging): JudgedRun {
  const { trace, header } = wholeTrace(run, carried)
  const results = judgedAnew(run, trace, header, judging)
  const said = carried[`${run}/results.json`]
  if (!said.equals(Buffer.from(resultsText(results)))) throw unlike(run, said, results, header, judging)
  const enough = whyNotEnough(results, header, judging)
  if (enough !== undefined) throw notGenuine(`does not certify anything: ${run} ${enough}`)
  const other = elsePlanned(header, judging)
  if (other !== undefined) {
    if (header.greenroom !== judging.greenroom) throw ofOtherVersion(header, judging)
    throw notGenuine(`does not certify anything: ${run} ${other}`)
  }
  return { trace, results }
}

/** A trace that hangs together from its header to its end. */
function wholeTrace(run: RunName, carried: Carried): { readonly trace: Trace; readonly header: HeaderEntry } {
  const name = `${run}/trace.ndjson` as const
  const bytes = carried[name]
  const trace = parse(name, bytes)
  const flaw = findFlaw(bytes.toString('utf8'), trace.entries)
  if (flaw?.what === 'link') {
    throw notGenuine(
      `was changed: line ${flaw.line} of ${name} does not follow from the line before it; something was changed, cut out, put in or moved there`,
    )
  }
  if (flaw !== undefined)
    throw notGenuine(`was changed: line ${flaw.line} of ${name} is earlier than the line before it`)
  const [header] = trace.entries
  if (header?.kind !== 'header') throw notGenuine(`was cut: ${name} does not begin with its header`)
  if (trace.entries.at(-1)?.kind !== 'end') throw notGenuine(`was cut: ${name} has no end`)
  const twice = (['header', 'end'] as const).find((kind) => trace.entries.filter((one) => one.kind === kind).length > 1)
  if (twice !== undefined)
    throw notGenuine(`does not certify anything: ${name} has more than one ${twice}, as no run writes it`)
  return { trace, header }
}

function parse(name: string, bytes: Buffer): Trace {
  try {
    return parseTrace(bytes)
  } catch (error) {
    if (error instanceof TraceFormatError) throw notGenuine(`holds a trace that is none, ${name}: ${error.message}`)
    throw error
  }
}

function judgedAnew(run: RunName, trace: Trace, header: HeaderEntry, judging: Judging): Results {
  try {
    return judging.judge(trace)
  } catch (error) {
    // Whoever holds a key can sign anything, entries that no run writes included.
    if (!(error instanceof Error && error.name === 'UnjudgeableTrace'))
      throw notGenuine(`does not certify anything: the trace of ${run} cannot be judged (${String(error)})`)
    if (header.greenroom !== judging.greenroom) throw ofOtherVersion(header, judging)
    throw notGenuine(`was changed: the requirements of ${run} are not those of greenroom ${header.greenroom}`)
  }
}

function ofOtherVersion({ greenroom }: HeaderEntry, judging: Judging): CertificateTrouble {
  return new CertificateTrouble(
    'not-judgeable',
    `was made by greenroom ${greenroom}, whose traces greenroom ${judging.greenroom} judges otherwise; signature and digests hold, verify the rest with greenroom ${greenroom}`,
  )
}

/** Which of the results differs from what the trace shows. */
function unlike(
  run: RunName,
  said: Buffer,
  results: Results,
  header: HeaderEntry,
  judging: Judging,
): CertificateTrouble {
  if (header.greenroom !== judging.greenroom) return ofOtherVersion(header, judging)
  const rows = saidOf(said)
  for (const { id, verdict } of results.requirements) {
    const says = rows.get(id)
    if (says === undefined) return notGenuine(`was changed: the row ${id} is missing in ${run}/results.json`)
    if (says !== verdict)
      return notGenuine(`was changed: ${run}/results.json says ${says} of ${id}, and its trace shows ${verdict}`)
  }
  return notGenuine(`was changed: ${run}/results.json is not what the judge makes of its trace`)
}

function saidOf(said: Buffer): ReadonlyMap<string, string> {
  try {
    const { requirements }: Results = JSON.parse(said.toString('utf8'))
    return new Map(requirements.map(({ id, verdict }) => [id, verdict]))
  } catch {
    return new Map()
  }
}

/** Why a scenario may be missing in a whole run: what is declared away, not asked for, or of a larger tier. */
const mayBeLeftOut: ReadonlySet<string> = new Set(['not_applicable', 'missing_trigger', 'tier'])

/** Why a run is not enough for a certificate, to follow the run's name. */
export function whyNotEnough(results: Results, header: HeaderEntry, judging: Judging): string | undefined {
  const { run, conformant, summary } = results
  if (run.tier !== judging.tier) return `is of tier ${run.tier}, and tier ${judging.tier} is asked for`
  const left = header.skipped.find(({ why }) => !mayBeLeftOut.has(why))
  if (left !== undefined) return `left out the scenario ${left.scenario} (${left.why})`
  if (run.only.length > 0) return `was narrowed to ${run.only.join(', ')}`
  if (conformant !== true) return 'is not conformant'
  if (summary.waived > 0) return `rests on ${summary.waived} waivers`
  const [lack] = lacksOf(header, judging.register)
  return lack === undefined ? undefined : `is not whole: ${lack.what}`
}

/** What the header says of a scenario, and a whole run of this target does otherwise. Whoever holds a key can sign any header. */
function elsePlanned(header: HeaderEntry, judging: Judging): string | undefined {
  const whole = placesIn(judging.planAnew(header))
  const said = placesIn(header)
  const differs = [...new Set([...whole.keys(), ...said.keys()])].find((id) => whole.get(id) !== said.get(id))
  return differs === undefined
    ? undefined
    : `is not whole: what it says of the scenario ${differs} is not what greenroom ${judging.greenroom} plans for its profile and keys`
}

/** By scenario, all that a header says of it. */
function placesIn({ manifest, skipped }: Pick<HeaderEntry, 'manifest' | 'skipped'>): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const put = (id: string, place: string): void => void places.set(id, `${places.get(id) ?? ''}${place}\n`)
  for (const { scenario, proves } of manifest) put(scenario, `driven ${JSON.stringify(proves)}`)
  for (const { scenario, why, what, proves } of skipped) put(scenario, JSON.stringify([why, what ?? '', proves]))
  return places
}
