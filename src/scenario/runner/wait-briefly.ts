import type { Channel } from '#client/types'

/** What will not come is still waited for so long, in milliseconds, since a connection that is let in says so soon. */
const brief_ms = 200

/** The same channel; where nothing is to be hoped for, what is waited for on it gets but a moment. */
export function waitBriefly(channel: Channel, hopeless: () => boolean): Channel {
  const [next, watch] = [channel.next.bind(channel), channel.watch.bind(channel)]
  return Object.assign(channel, {
    next: (match, options = {}) => {
      const within_ms = Math.min(options.within_ms ?? brief_ms, brief_ms)
      return next(match, hopeless() ? { ...options, within_ms } : options)
    },
    watch: (ms) => watch(hopeless() ? Math.min(ms, brief_ms) : ms),
  } satisfies Pick<Channel, 'next' | 'watch'>)
}
