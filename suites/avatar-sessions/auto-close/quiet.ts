import { admissionMs } from '#judge/conditions/admission'
import type { Context, OpenSession } from '#scenario/author/context'
import { look } from '#scenario/author/session-ending'

/** What an opening after a long quiet shows; a rule of the control channel judges it. */
export const openedAfterQuiet = ['control-channel.secret.valid-while-open'] as const

/** "Valid until the session ends" (5.3): however long nobody came, or said anything, the secret opens the channel. */
export async function openAfterQuiet(c: Context, session: OpenSession): Promise<void> {
  const channel = await c.open(session)
  // Nothing is sent: a connection that was used may end by accident.
  await channel.watch(admissionMs + 200)
  // A refusal counts where the session is seen to be open after it.
  if (channel.state !== 'open') await look(c, session)
  await channel.close()
}
