import { cutMoments } from '../core/cuts.ts'
import { flaws } from '../core/events/chain.ts'
import { refusals } from '../core/refusal.ts'
import { type Measures, OTHER } from '../core/tally.ts'

/**
 * How a conversation can end; each begins once and ends once. `moved`: cut by a server that said that it goes away. `ended`: cut by
 * the service, which ended the session.
 */
const conversations = [
  'begun',
  'whole',
  'refused',
  'unsafe',
  'unopened',
  'cut',
  'moved',
  'ended',
  'stopped',
  OTHER,
] as const

/**
 * What can become of a request for a response; `silent`: none began, `unended`: one began and did not end; `overtime`: one still went on when
 * the time of the workload was over; `failed`: over a step of the service, before it began or later; `bounded`: rejected, where a
 * shorter text was not, of which the rest is said; `shortened`: failed, where
 * a shorter text was not.
 */
const responses = [
  'whole',
  'broken',
  'unfinished',
  'failed',
  'rejected',
  'bounded',
  'shortened',
  'silent',
  'unended',
  'overtime',
  'flooded',
  'cut',
  OTHER,
] as const

/** What can become of a `session.update`; `done` counts its terminal events, `completed` those that say so, `failed` own failures. */
const updates = [
  'acknowledged',
  'done',
  'completed',
  'failed',
  'rejected',
  'silent',
  'unended',
  'overtime',
  'cut',
  OTHER,
] as const

export type Ending = Exclude<(typeof conversations)[number], 'begun'>

/** Why conversations did not begin: the last refusal, after all retries; `out-of-budget`: after those that its user had left. */
export const turnedAway = [...refusals, 'no-session', 'out-of-budget', OTHER]

export type ResponseCount = 'conversations' | 'responses' | 'updates' | 'cuts' | 'moves' | 'flaws' | 'turned_away'
export type ResponseTime =
  | 'update_ms'
  | 'update_intended_ms'
  | 'created_ms'
  | 'created_intended_ms'
  | 'first_delta_ms'
  | 'first_delta_intended_ms'
  | 'delta_gap_ms'
  | 'response_ms'
  | 'response_intended_ms'

/**
 * What is measured of conversations on the control channel. Times are from our send to the arrival at our socket; the
 * `intended` ones from the moment when the schedule wanted us to send.
 */
export function responseMeasures(): Measures<ResponseCount, ResponseTime> {
  return {
    counts: {
      conversations,
      responses,
      updates,
      cuts: cutMoments(),
      moves: cutMoments(),
      flaws: [...flaws, OTHER],
      turned_away: turnedAway,
    },
    times: [
      'update_ms',
      'update_intended_ms',
      'created_ms',
      'created_intended_ms',
      'first_delta_ms',
      'first_delta_intended_ms',
      'delta_gap_ms',
      'response_ms',
      'response_intended_ms',
    ],
  }
}
