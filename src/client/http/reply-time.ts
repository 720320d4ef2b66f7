/** How many requests, and more than which share of all, got no reply in time before we wait for less. */
const most = 10
const share = 1 / 4
/** A target that stands still once answers none of the many requests that are on their way: no more of them count. */
const mostAtOnce = 3
/** Which part of its time a reply gets then, and how many milliseconds at least. */
const part = 1 / 5
const briefest_ms = 1_000

/** How long replies are waited for: where every other one never comes, a run would consist of waiting. */
export interface ReplyTime {
  /** Milliseconds for the next request. @param wanted where it gets another time than usual */
  ms(wanted?: number): number
  /** Whether so many never came that one more is no surprise. */
  scarce(): boolean
  /** A request goes out: call the result with whether its reply came in time. */
  asked(): (inTime: boolean) => void
}

/** @param reply_ms time that a profile gives a reply */
export function createReplyTime(reply_ms: number): ReplyTime {
  let [requests, silent, answered] = [0, 0, 0]
  const scarce = (): boolean => silent >= most && silent > requests * share
  return {
    ms: (wanted = reply_ms) => (scarce() ? briefly(wanted) : wanted),
    scarce,
    asked: () => {
      const [before, earlier] = [answered, silent]
      return (inTime) => {
        if (!inTime && answered === before && silent - earlier >= mostAtOnce) return
        requests += 1
        if (inTime) answered += 1
        else silent += 1
      }
    },
  }
}

/** What is left of so many milliseconds where the same has been waited for in vain often enough. */
export function briefly(wanted_ms: number): number {
  return Math.min(wanted_ms, Math.max(briefest_ms, wanted_ms * part))
}
