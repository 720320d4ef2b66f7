import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { packageRoot } from '#spec/package-root'
import { certifyCommand } from './commands/certify.ts'
import { checkCommand } from './commands/check.ts'
import { cleanupCommand } from './commands/cleanup.ts'
import { commentCommand } from './commands/comment.ts'
import { diffCommand } from './commands/diff.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { importCommand } from './commands/import.ts'
import { initCommand } from './commands/init.ts'
import { judgeCommand } from './commands/judge.ts'
import { listCommand } from './commands/list.ts'
import { loadCommand } from './commands/load.ts'
import { proveCommand } from './commands/prove.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { serveCommand } from './commands/serve.ts'
import { specCommand } from './commands/spec.ts'
import { verifyCommand } from './commands/verify.ts'
import { watchCommand } from './commands/watch.ts'
import type { Finish, Shell } from './shell.ts'
import { usage } from './stop.ts'

const commands = [
  checkCommand,
  judgeCommand,
  replayCommand,
  diffCommand,
  reportCommand,
  commentCommand,
  certifyCommand,
  verifyCommand,
  listCommand,
  explainCommand,
  proveCommand,
  serveCommand,
  loadCommand,
  watchCommand,
  importCommand,
  cleanupCommand,
  initCommand,
  doctorCommand,
  specCommand,
]

/**
 * Runs one command line.
 *
 * @returns the exit code
 * @throws Stop
 */
export async function runProgram(args: readonly string[], shell: Shell): Promise<number> {
  let exit = 0
  const program = build(shell, (code) => {
    exit = code
  })
  if (args.length === 0) {
    shell.err(program.helpInformation())
    return 2
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exit
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    throw usage(sentenceOf(error, args))
  }
}

function build(shell: Shell, finish: Finish): Command {
  const program = new Command('greenroom')
    .description('Judges whether a service obeys the Streaming Avatar and Streaming World Service Interface.')
    .version(packageVersion())
    .addHelpText('after', exitCodes)
    // So that a command hands on what stands after the name of one below it.
    .enablePositionalOptions()
  for (const command of commands) program.addCommand(command(shell, finish))
  for (const command of withThoseBelow(program)) {
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureOutput({ writeOut: (text) => shell.out(text), writeErr: () => {} })
  }
  return program
}

function withThoseBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)]
}

const exitCodes = `
Exit codes: 0 conformant, 1 not conformant, 2 wrong usage or profile, 3 could not be judged, 4 Greenroom's own fault,
130 interrupted, after cleaning up.`

function packageVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  return manifest.version
}

/** What Commander says without a word of what to do. */
const leaveOpen = new Set([
  'commander.missingArgument',
  'commander.excessArguments',
  'commander.unknownOption',
  'commander.missingMandatoryOptionValue',
])

/** Commander says "error: …" and puts its suggestion on a line of its own; what to do it often leaves open. */
function sentenceOf({ message, code }: CommanderError, [command = '', ...others]: readonly string[]): string {
  if (code === 'commander.help') {
    if (others.length === 0) return `${command} needs a command behind it; see "npx greenroom ${command} --help"`
    return `unknown command '${others.join(' ')}'; see "npx greenroom --help"`
  }
  const sentence = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  if (code === 'commander.unknownCommand' && !sentence.includes('Did you mean')) {
    return `${sentence}; see "npx greenroom ${sentence.includes(`'${command}'`) ? '' : `${command} `}--help"`
  }
  return leaveOpen.has(code) && !sentence.includes('Did you mean')
    ? `${sentence.replace(/\.$/, '')}; see "npx greenroom ${command} --help"`
    : sentence
}
