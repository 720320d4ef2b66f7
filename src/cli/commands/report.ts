import { Command, InvalidArgumentError, Option } from 'commander'
import { repeatedNames } from '../numbers.ts'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

/** What a run that is over can be written as, and the file beside its results. */
export const reportFiles = { html: 'report.html', junit: 'junit.xml', ctrf: 'ctrf.json', github: 'summary.md' } as const

export type FileKind = keyof typeof reportFiles

export interface ReportPageOptions {
  readonly report: readonly FileKind[]
  readonly trace?: string
  readonly out?: string
}

/** `greenroom report`. */
export function reportCommand(shell: Shell, finish: Finish): Command {
  return new Command('report')
    .description(
      'write one self-contained page of a run, or its junit.xml, ctrf.json or summary.md; of several results, a page with them side by side',
    )
    .argument('<results...>', 'results.json of a run, then of others to set beside it')
    .option('--trace <file>', 'its trace (default: trace.ndjson beside the first results)')
    .addOption(
      new Option('--report <kind>', 'report.html (default), junit.xml, ctrf.json or summary.md for GitHub (repeatable)')
        .choices(Object.keys(reportFiles))
        .default([])
        .argParser(repeatedKinds),
    )
    .option('--out <file>', 'where to write it (default: under the name above, beside the first results)')
    .action(async (files: string[], options: ReportPageOptions) => {
      const { writeReportFiles } = await import('../report-page.ts')
      finish(writeReportFiles(files, options, shell))
    })
}

function repeatedKinds(kinds: string, earlier: readonly string[]): readonly string[] {
  const all = repeatedNames(kinds, earlier)
  if (all.every((kind) => kind in reportFiles)) return all
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(reportFiles).join(', ')}.`)
}
