import { Command } from 'commander'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

export interface ReportPageOptions {
  readonly trace?: string
  readonly out?: string
}

/** `greenroom report`. */
export function reportCommand(shell: Shell, finish: Finish): Command {
  return new Command('report')
    .description('write one self-contained page of a run; of several results, side by side')
    .argument('<results...>', 'results.json of a run, then of others to set beside it')
    .option('--trace <file>', 'its trace (default: trace.ndjson beside the first results)')
    .option('--out <file>', 'where to write the page (default: report.html beside the first results)')
    .action(async (files: string[], options: ReportPageOptions) => {
      const { writeReportPage } = await import('../report-page.ts')
      finish(writeReportPage(files, options, shell))
    })
}
