/** What a target may send before we give up on it; far more than a correct one has reason to. */
export interface Bounds {
  /** Bytes of one REST body, as they come and decoded. */
  readonly body_bytes: number
  /** Bytes of one response's headers. */
  readonly header_bytes: number
  /** Bytes of one frame. */
  readonly frame_bytes: number
  /** Frames of one channel, pings included. */
  readonly channel_frames: number
  /** Bytes of all frames of one channel. */
  readonly channel_bytes: number
  /** Of one body once it is parsed: characters, and 24 for each value. */
  readonly body_weight: number
  /** Of all bodies and frames of one run: the judge has to hold them at once. */
  readonly run_weight: number
}

export const defaultBounds: Bounds = {
  body_bytes: 16 * 2 ** 20,
  header_bytes: 32 * 2 ** 10,
  frame_bytes: 4 * 2 ** 20,
  channel_frames: 20_000,
  channel_bytes: 32 * 2 ** 20,
  body_weight: 32 * 2 ** 20,
  run_weight: 256 * 2 ** 20,
}

/** Characters that a trace shows of a text that is no JSON. */
export const longestText = 2_000

/** Counts what came in over the whole run. */
export interface Intake {
  /** What may still come. */
  readonly left: number
  add(weight: number): void
}

export function createIntake(bounds: Bounds): Intake {
  let taken = 0
  return {
    get left() {
      return Math.max(0, bounds.run_weight - taken)
    },
    add: (weight) => {
      taken += weight
    },
  }
}
