import { noPaint } from '#report/paint'
import type { Shell } from '../shell.ts'

/** A shell whose output can be read, and whose interrupt a test can send. */
export interface FakeShell extends Shell {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly interrupt: () => void
}

export function fakeShell(env: Shell['env'] = {}): FakeShell {
  const written = { out: '', err: '' }
  const controller = new AbortController()
  return {
    env,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    paint: noPaint,
    columns: undefined,
    interrupts: () => ({ signal: controller.signal }),
    stdout: () => written.out,
    stderr: () => written.err,
    interrupt: () => controller.abort('SIGINT'),
  }
}
