/** Last numbers given out by another process of the same run. */
export interface LastNumbers {
  readonly exchange: number
  readonly channel: number
  readonly frame: number
  readonly claim: number
  readonly mark: number
}

/** Gives out the numbers of a run. Each is unique among its kind. */
export interface Numbers {
  next(kind: keyof LastNumbers): number
  /** Says that a frame whose number was reserved earlier is sent now. */
  sent(frame: number): void
  /** The number that later frames exceed; differs from `frame` where that was reserved long before it was sent. */
  place(frame: number): number
}

export function createNumbers(start: Partial<LastNumbers> = {}): Numbers {
  const last = { exchange: 0, channel: 0, frame: 0, claim: 0, mark: 0, ...start }
  const places = new Map<number, number>()
  return {
    next: (kind) => {
      last[kind] += 1
      return last[kind]
    },
    sent: (frame) => {
      if (frame !== last.frame) places.set(frame, last.frame)
    },
    place: (frame) => places.get(frame) ?? frame,
  }
}
