/** For how many milliseconds a target may at least say nothing while we wait for something that came when it was recorded. */
const shortest_ms = 20_000

/** What is waited for in vain while one failure is sent again, over all that is sent for it. */
export interface InVain {
  /** Something came. */
  heard(): void
  /** Of so many milliseconds, as many as may still be waited. */
  left(ms: number): number
  /** Nothing came in so many milliseconds of waiting. */
  waited(ms: number): void
  /** Of the milliseconds that a session may take to be over or ready, as many as may still be waited. */
  unsettledLeft(ms: number): number
  /** In so many milliseconds of waiting the session was neither over nor ready. */
  unsettled(ms: number): void
  /** Says to whoever watches what is waited for, in a clause. */
  tell(what: string): void
  /** No answer came where one came when it was recorded, however often it was asked for. */
  unanswered(): void
  /** Why nothing more is waited for, in a clause; undefined as long as it is. */
  readonly over: string | undefined
}

/**
 * @param event_ms how long an event may take, as the profile says
 * @param gone called once where nobody answers any more, not even to end what was made
 * @param tell shows whoever watches what is waited for
 */
export function createInVain(event_ms: number, gone: () => void, tell: InVain['tell'] = () => {}): InVain {
  const most_ms = Math.max(shortest_ms, 2 * event_ms)
  let [silent_ms, unsettled_ms, over] = [0, 0, undefined as string | undefined]
  return {
    heard: () => {
      silent_ms = 0
    },
    left: (ms) => Math.min(ms, Math.max(0, most_ms - silent_ms)),
    waited: (ms) => {
      silent_ms += ms
      if (silent_ms >= most_ms)
        over ??= `the target said nothing for ${most_ms / 1_000} s, where it had said something then`
    },
    unsettledLeft: (ms) => Math.max(0, ms - unsettled_ms),
    unsettled: (ms) => {
      unsettled_ms += ms
    },
    tell,
    unanswered: () => {
      if (over === undefined) gone()
      over ??= 'the target does not answer where it had answered then'
    },
    get over() {
      return over
    },
  }
}
