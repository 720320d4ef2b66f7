import type { Context } from '../author/context.ts'
import type { Breaker } from './breaker.ts'

type Wait = Context['wait']

/**
 * Where nobody got a place for long, no scenario waits for one of its own accord any more, but each asks. Who waits in
 * the name of all (`waitOut`) goes on with whole pauses: short ones would only spend what the run may send.
 */
export function waitsOf(whole: Wait, breaker: Pick<Breaker, 'crowded'>): { readonly wait: Wait; readonly whole: Wait } {
  const wait: Wait = (ms, why) => whole(why === 'quota' && breaker.crowded() ? ms / 20 : ms, why)
  return { wait, whole }
}
