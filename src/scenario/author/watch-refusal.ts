import type { Channel } from '#client/types'
import { admissionMs } from '#judge/conditions/admission'
import type { Context } from './context.ts'

/**
 * Watches a connection that must be refused until that is decided: a socket may be accepted first and closed only when an
 * answer would have come (section 5).
 */
export async function watchRefusal({ timeouts }: Pick<Context, 'timeouts'>, channel: Channel): Promise<void> {
  await channel.watch(Math.max(admissionMs, timeouts.reply_ms) + 100)
}
