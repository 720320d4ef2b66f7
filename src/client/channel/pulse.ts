import { startDeadline } from '../deadline.ts'

/** What all channels of a run know of pings: a target that never answered one says nothing by its silence. */
export interface Pongs {
  answered: boolean
}

interface PulseOptions {
  readonly pongs: Pongs
  readonly ping: () => void
  /** Milliseconds of the run. */
  readonly now: () => number
  /** How long a pong may take. */
  readonly patience_ms: number
  /** Nobody is there any more. @param since when something was heard last */
  readonly dead: (since: number) => void
}

/**
 * Feels whether anybody is still at the other end of a connection. What lies between may forget a connection without telling
 * either end; then nothing comes any more, and nothing of that is the target's doing. Whoever is there answers a ping "as soon as
 * is practical" (RFC 6455, 5.5.3).
 */
export interface Pulse {
  /** Something came. */
  heard(): void
  pong(): void
  /** What was waited for did not come. */
  doubt(): void
  stop(): void
}

export function createPulse({ pongs, ping, now, patience_ms, dead }: PulseOptions): Pulse {
  let last = now()
  let callOff: (() => void) | undefined
  const stop = (): void => {
    callOff?.()
    callOff = undefined
  }
  const heard = (): void => {
    last = now()
    stop()
  }
  if (!pongs.answered) ping()
  return {
    heard,
    pong: () => {
      pongs.answered = true
      heard()
    },
    doubt: () => {
      if (callOff !== undefined) return
      ping()
      callOff = startDeadline(patience_ms, () => {
        callOff = undefined
        if (pongs.answered) dead(last)
      })
    },
    stop,
  }
}

/** Whether a response that has begun goes on after an event of this type (6.2). */
export function isMidway(type: string | undefined): boolean {
  return type?.startsWith('response.') === true && type !== 'response.done'
}
