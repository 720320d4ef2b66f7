import { Command, Option } from 'commander'
import { repeatedChoice } from '../numbers.ts'
import { fileKinds } from '../report-files.ts'
import type { Finish, Shell } from '../shell.ts'
import type { ReportPageOptions } from '../report-page.ts'

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
        .choices(fileKinds)
        .default([])
        .argParser(repeatedChoice(fileKinds)),
    )
    .option('--out <file>', 'where to write it (default: under the name above, beside the first results)')
    .action(async (files: string[], options: ReportPageOptions) => {
      const { writeReportFiles } = await import('../report-page.ts')
      finish(writeReportFiles(files, options, shell))
    })
}
