import { performance } from 'node:perf_hooks'

export interface Interrupts {
  /** Aborted by the first signal; its reason is the signal's name. */
  readonly signal: AbortSignal
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * One Ctrl-C often arrives twice: from the terminal, and from `npx`, `timeout` or our own launcher, which pass it on.
 * Only a signal that comes later than this many milliseconds is a second one.
 */
const sameKeystroke = 400

/** @param exit called with 130 by the second signal */
export function watchInterrupts(exit: (code: number) => void): Interrupts {
  const controller = new AbortController()
  let first: number | undefined
  const interrupt = (name: string): void => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      controller.abort(name)
    } else if (now - first > sameKeystroke) {
      exit(130)
    }
  }
  for (const signal of signals) process.on(signal, () => interrupt(signal))
  // The launcher is gone, by whatever means: nobody is left to stop us.
  if (process.connected) {
    process.on('disconnect', () => interrupt('SIGHUP'))
    process.channel?.unref()
  }
  return { signal: controller.signal }
}
