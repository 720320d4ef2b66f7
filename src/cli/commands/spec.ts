import { Argument, Command } from 'commander'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

export interface SpecOptions {
  readonly out?: string
}

/** The documents that there are. */
export const documents = ['openapi', 'asyncapi', 'profile'] as const

export type DocumentName = (typeof documents)[number]

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
