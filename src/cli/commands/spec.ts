import { Argument, Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { DocumentName, SpecOptions } from '../spec.ts'

const documents = ['openapi', 'asyncapi', 'profile'] as const satisfies readonly DocumentName[]

/** `greenroom spec`. */
export function specCommand(shell: Shell, finish: Finish): Command {
  return new Command('spec')
    .description(
      'print the REST operations (OpenAPI 3.1), the control channel (AsyncAPI 3.0) or the reference of profiles (Markdown)',
    )
    .addArgument(new Argument('<document>', 'which of them').choices(documents))
    .option('--out <file>', 'write it into this file instead')
    .action(async (name: DocumentName, options: SpecOptions) => {
      const { spec } = await import('../spec.ts')
      finish(spec(name, options, shell))
    })
}
