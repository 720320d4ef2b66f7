import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { ImportOptions } from '../recording/import.ts'

/** `greenroom import`. */
export function importCommand(shell: Shell, finish: Finish): Command {
  const all = new Command('import').description('judge traffic that somebody else recorded')
  all.addCommand(
    new Command('har')
      .description("judge a browser's export (HAR) by the rules that judge every trace, with the frames of WebSockets")
      .argument('<file>', 'what Chrome saves as "HAR (with sensitive data)"; without that, keys are not told apart')
      .option('--target <profile or URL>', 'the service (default: where the first request of the interface went)')
      .option('--out <dir>', 'where to leave trace.ndjson, results.json and client-mistakes.json')
      .addHelpText('after', exits)
      .action(async (file: string, options: ImportOptions) => {
        const { importHarFile } = await import('../recording/import.ts')
        finish(await importHarFile(file, options, shell))
      }),
  )
  all.addCommand(
    new Command('trace')
      .description('judge the samples of a load run by the rules alone')
      .argument('<file>', 'samples.ndjson of a load run')
      .option('--out <dir>', 'where to leave trace.ndjson, results.json and client-mistakes.json')
      .addHelpText('after', exits)
      .action(async (file: string, options: ImportOptions) => {
        const { importTraceFile } = await import('../recording/import.ts')
        finish(await importTraceFile(file, options, shell))
      }),
  )
  return all
}

const exits = `
Exit codes: 0 nothing broken was seen, 1 the service broke a requirement, 2 the file cannot be read as such, 3 nothing in it
can be judged. What is missing in the file is told; what clients did wrong changes no exit code.`
