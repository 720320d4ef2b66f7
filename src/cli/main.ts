import { printable } from '#text/printable'
import { runProgram } from './program.ts'
import { processShell } from './shell.ts'
import { Stop } from './stop.ts'

/** Runs one command line and ends the process: the only place that does. */
export async function main(args: readonly string[]): Promise<void> {
  process.on('uncaughtException', (error) => process.exit(complain(error)))
  const shell = processShell((code) => process.exit(code))
  const code = await runProgram(args, shell).catch(complain)
  // A pipe takes what it can, and `exit` does not wait for the rest.
  await Promise.all([written(process.stdout), written(process.stderr)])
  process.exit(code)
}

/** Everything was taken, or nobody reads any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (stream.writable) stream.write('', () => resolve())
  else resolve()
  return promise
}

/** Whoever stops bounds the parts of what it says, such as the faults of a profile: no part is to be cut off here. */
const longestStop = 10_000

/** Says what went wrong. @returns the exit code */
function complain(error: unknown): number {
  if (error instanceof Stop) {
    process.stderr.write(`greenroom: ${printable(error.message, longestStop)}\n`)
    return error.exit
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n').map((line) => printable(line, 1_000))
  process.stderr.write(`greenroom: a mistake of Greenroom itself, not of the target: ${lines.join('\n')}\n`)
  return 4
}
