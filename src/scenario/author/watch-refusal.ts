import type { Channel } from '#client/types'
import { refusalMs } from '#judge/conditions/admission'
import type { Context } from './context.ts'

/** Watches a connection that must be refused (section 5) until that is decided. */
export async function watchRefusal({ timeouts }: Pick<Context, 'timeouts'>, channel: Channel): Promise<void> {
  await channel.watch(refusalMs(timeouts.reply_ms) + 100)
}
