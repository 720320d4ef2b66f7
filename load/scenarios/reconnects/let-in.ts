import type { Session } from '../../core/envelope.ts'
import { ControlChannel } from '../control-channel.ts'
import type { ChannelMachine } from '../machine.ts'

/** A connection that is still there after so long was let in. */
export const STAYS_MS = 2_000

/** Whether the secret of this session works. */
export async function isLetIn(machine: ChannelMachine, session: Session): Promise<boolean> {
  const channel = new ControlChannel(machine, session, () => undefined)
  if ((await channel.open()) !== 'opened') return false
  const stayed = await stays(machine, channel.ended)
  await channel.close()
  return stayed
}

/** Whoever was so late to look had no time to hear that the other side had closed, and looks again, so many times at most. */
const [LATE_MS, LOOKS] = [200, 5]

/** A refused channel may be let in as well, and closed at once or a moment later. */
export async function stays(
  { now, later }: Pick<ChannelMachine, 'now' | 'later'>,
  ended: Promise<void>,
): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const due = now() + STAYS_MS
    let callOff = (): void => undefined
    const late = new Promise<number>((resolve) => (callOff = later(STAYS_MS, () => resolve(now() - due))))
    const outcome = await Promise.race([late, ended])
    callOff()
    if (outcome === undefined) return false
    if (outcome < LATE_MS) return true
  }
  return false
}
