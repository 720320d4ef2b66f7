import type { Context } from '../author/context.ts'
import type { Breaker } from './breaker.ts'
import type { Channel } from '#client/types'

/** What will not come is still waited for so long, in milliseconds, since a connection that is let in says so soon. */
const brief_ms = 200

export interface Hope {
  /** Whether nothing is to be hoped for. */
  readonly hopeless: () => boolean
  /** Something was waited for, and did not come. */
  readonly unheard: (channel: Channel) => void
}

/** The same channel; where nothing is to be hoped for, what is waited for on it gets but a moment. */
export function waitBriefly(channel: Channel, { hopeless, unheard }: Hope): Channel {
  const [next, watch] = [channel.next.bind(channel), channel.watch.bind(channel)]
  return Object.assign(channel, {
    next: async (match, options = {}) => {
      const within_ms = Math.min(options.within_ms ?? brief_ms, brief_ms)
      const found = await next(match, hopeless() ? { ...options, within_ms } : options)
      if (found === undefined) unheard(channel)
      return found
    },
    watch: (ms) => watch(hopeless() ? Math.min(ms, brief_ms) : ms),
  } satisfies Pick<Channel, 'next' | 'watch'>)
}

type Wait = Context['wait']

/**
 * Where nobody got a place for long, no scenario waits for one of its own accord any more, but each asks. Who waits in
 * the name of all (`waitOut`) goes on with whole pauses: short ones would only spend what the run may send.
 */
export function waitsOf(whole: Wait, breaker: Pick<Breaker, 'crowded'>): { readonly wait: Wait; readonly whole: Wait } {
  const wait: Wait = (ms, why) => whole(why === 'quota' && breaker.crowded() ? ms / 20 : ms, why)
  return { wait, whole }
}
