import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '#judge/rule'
import { loadRules } from '#scenario/plan/load-rules'
import type { Entry } from '#trace/entry'
import { messageOf } from '#trace/message-of'
import { corpusFolder } from '../label.ts'
import { opinionOn } from '../opinion.ts'
import { cuts } from '../plan/cuts.ts'
import { type Changed, type Cut, plan } from '../plan/plan.ts'
import { runs, type RunName } from '../plan/runs.ts'
import { changed } from './change.ts'
import { labelOfChanged, labelOfCut, labelOfMistake, labelOfOtherwise, type Unfiled } from './labelled.ts'
import { judgeRun, type JudgedRun, pieceOf } from './piece.ts'
import { ndjsonOf, plain } from './plain.ts'
import { recordReference, recordRun } from './recordings.ts'
import { Traces } from './traces.ts'

// Makes fixtures/traces/corpus anew: npm run corpus [-- FOLDER OF RECORDINGS [REQUIREMENTS]]
// Runs that the folder holds are not recorded again; of requirements that the expression does not fit, all stays as it is.
// Records runs and cuts pieces out of them. A trace that tells the same as the one that is there stays as it is, byte for
// byte. Where the judge does not say what a label says, nothing is written: one of them is wrong.

class Corpus {
  readonly #rules: readonly Rule[]
  readonly #recordings: string
  readonly #wanted: RegExp
  readonly traces = new Traces()
  readonly #runs = new Map<RunName, Promise<JudgedRun>>()
  readonly #pieces = new Map<string, Promise<readonly Entry[]>>()
  readonly complaints: string[] = []

  constructor(rules: readonly Rule[], recordings: string, wanted: RegExp) {
    this.#rules = rules
    this.#recordings = recordings
    this.#wanted = wanted
  }

  async make(): Promise<void> {
    for (const one of cuts) await this.#try(labelOfCut(one), () => this.#pieceOfCut(one))
    for (const one of plan.altered) await this.#try(labelOfChanged('illegal', one), () => this.#change(one))
    for (const one of plan.undecided) await this.#try(labelOfChanged('undecided', one), () => this.#change(one))
    for (const one of plan.mistakes) {
      const label = labelOfMistake(one)
      await this.#try(label, async () => {
        const run = judgeRun(await recordReference({ defects: [one.defect] }, one.only, one.tier), this.#rules)
        return this.#cut(run, label.requirement, 'illegal')
      })
    }
    for (const one of plan.otherwise) {
      await this.#try(labelOfOtherwise(one), async () => {
        const run = judgeRun(await recordReference({ variations: [one.variation] }, one.only), this.#rules)
        return this.#cut(run, one.requirement, 'legal')
      })
    }
  }

  async #try(label: Unfiled, make: () => Promise<readonly Entry[]>): Promise<void> {
    const file = this.traces.fileOf(label)
    if (!this.#wanted.test(label.requirement) && existsSync(join(corpusFolder, file))) {
      this.traces.keep({ file, ...label })
      return
    }
    try {
      this.traces.keep({ file, ...label }, this.#judged(label, plain(await make())))
    } catch (error) {
      const said = messageOf(error)
      this.complaints.push(`${label.verdict} ${label.requirement} (${label.server}; ${label.told}): ${said}`)
    }
  }

  /** Text of a trace. @throws where the judge does not say what the label says */
  #judged(label: Unfiled, entries: readonly Entry[]): string {
    const { verdict, broken, mistakes: ours } = opinionOn(entries, label.requirement, this.#rules)
    const beside = label.verdict === 'illegal' ? [] : broken
    if (verdict !== label.verdict || beside.length + ours.length > 0) {
      throw new Error(`the judge says ${verdict}, broken: ${broken.join(', ') || 'nothing'}${ours.join()}`)
    }
    return ndjsonOf(entries)
  }

  async #change(one: Changed): Promise<readonly Entry[]> {
    return changed(await this.#pieceOfCut(one), one.at, one.change)
  }

  #pieceOfCut({ run, requirement }: Cut): Promise<readonly Entry[]> {
    const name = `${run} ${requirement}`
    const piece = this.#pieces.get(name) ?? this.#run(run).then((judged) => this.#cut(judged, requirement, 'legal'))
    this.#pieces.set(name, piece)
    return piece
  }

  #run(name: RunName): Promise<JudgedRun> {
    const run =
      this.#runs.get(name) ?? recordRun(name, runs[name], this.#recordings).then((e) => judgeRun(e, this.#rules))
    this.#runs.set(name, run)
    return run
  }

  #cut(run: JudgedRun, requirement: string, verdict: 'legal' | 'illegal'): readonly Entry[] {
    const piece = pieceOf(run, requirement, verdict, this.#rules)
    if (piece === undefined) throw new Error('no piece of the run shows it')
    return piece
  }
}

const [given, wanted = ''] = process.argv.slice(2)
const recordings = given ?? mkdtempSync(join(tmpdir(), 'greenroom-corpus-'))
try {
  const corpus = new Corpus(await loadRules(), recordings, new RegExp(wanted))
  await corpus.make()
  for (const complaint of corpus.complaints) console.error(complaint)
  if (corpus.complaints.length === 0) corpus.traces.write(corpusFolder)
  else process.exitCode = 1
} finally {
  if (given === undefined) rmSync(recordings, { recursive: true, force: true })
}
