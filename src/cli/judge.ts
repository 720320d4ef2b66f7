import { type Results } from '#judge/results'
import { judge } from '#judge/judge'
import { readTrace, type Trace, TraceFormatError } from '#trace/reader'
import type { JudgeOptions } from './commands/judge.ts'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/rules'
import type { Shell } from './shell.ts'
import { fileTrouble, usage } from './stop.ts'
import { conclude } from '#report/conclusion'
import { writeWhole } from './write-whole.ts'

/** Judges a trace again. No network, no clock: the results depend on the trace and this version of Greenroom alone. */
export async function judgeFile(file: string, options: JudgeOptions, shell: Shell): Promise<number> {
  const results = await judgeTrace(read(file), file)
  const { exit, sentence } = conclude(results)
  if (options.out === undefined) shell.out(resultsText(results))
  else write(options.out, resultsText(results))
  shell.err(`${sentence} (exit code ${exit})\n`)
  return exit
}

/** @throws Stop (2) for a trace that cannot be judged at all */
export async function judgeTrace(trace: Trace, file: string): Promise<Results> {
  const rules = await loadRules()
  try {
    return judge(trace, register(), rules)
  } catch (error) {
    if (error instanceof Error && error.name === 'UnjudgeableTrace') throw usage(`${file}: ${error.message}`)
    throw error
  }
}

/** The bytes of `results.json`. */
export function resultsText(results: Results): string {
  return `${JSON.stringify(results, undefined, 2)}\n`
}

function read(file: string): Trace {
  try {
    return readTrace(file)
  } catch (error) {
    if (error instanceof TraceFormatError) throw usage(`${file} is no trace: ${error.message}`)
    throw usage(`the trace ${file} cannot be read: ${fileTrouble(error)}`)
  }
}

function write(file: string, text: string): void {
  try {
    writeWhole(file, text)
  } catch (error) {
    throw usage(`--out ${file} cannot be written: ${fileTrouble(error)}`)
  }
}
