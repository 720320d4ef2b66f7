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

/** What a first and a second signal do. */
export interface InterruptSwitch extends Interrupts {
  readonly interrupt: (name: string) => void
}

/**
 * @param exit called with 130 by the second signal
 * @param now milliseconds of a monotonic clock
 */
export function interruptSwitch(exit: (code: number) => void, now: () => number): InterruptSwitch {
  const controller = new AbortController()
  let first: number | undefined
  return {
    signal: controller.signal,
    interrupt: (name) => {
      if (first === undefined) {
        first = now()
        controller.abort(name)
      } else if (now() - first > sameKeystroke) exit(130)
    },
  }
}

/** Listens to the signals of this process. @param exit called with 130 by the second signal */
export function watchInterrupts(exit: (code: number) => void): Interrupts {
  const { signal, interrupt } = interruptSwitch(exit, () => performance.now())
  for (const name of signals) process.on(name, () => interrupt(name))
  // The launcher is gone, by whatever means: nobody is left to stop us.
  if (process.connected) {
    process.on('disconnect', () => interrupt('SIGHUP'))
    process.channel?.unref()
  }
  return { signal }
}
