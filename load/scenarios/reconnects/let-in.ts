import type { Session } from '../../core/envelope.ts'
import { ControlChannel } from '../control-channel.ts'
import type { ChannelMachine } from '../machine.ts'

/** A connection that is still there after so long was let in. */
export const STAYS_MS = 2_000

/** Whether the secret of this session works. */
export async function isLetIn(machine: ChannelMachine, session: Session): Promise<boolean> {
  const channel = new ControlChannel(machine, session, () => undefined)
  if ((await channel.open()) !== 'opened') return false
  const stayed = await stays(machine, channel)
  await channel.close()
  return stayed
}

/** A refused channel may be let in as well, and closed at once or a moment later. */
async function stays(machine: ChannelMachine, channel: ControlChannel): Promise<boolean> {
  let callOff = (): void => undefined
  const stayed = new Promise<true>((resolve) => (callOff = machine.later(STAYS_MS, () => resolve(true))))
  const outcome = await Promise.race([stayed, channel.ended])
  callOff()
  return outcome === true
}
