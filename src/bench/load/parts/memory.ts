import { type Held, heldK6 } from '../held-k6.ts'
import { BARE, type Rig, say, slowlyOf } from '../rig.ts'
import { withTarget } from '../target-process.ts'

const [few, many] = [20, 220]

/**
 * Slope over the number of users, each of them in the second turn of a conversation. What is reachable after a collection
 * is the same from run to run; what the process holds beside it is garbage that nobody has collected yet.
 */
export async function memory({ k6, library, pairs }: Rig): Promise<void> {
  const settings = { HOLD_TURN: '1', PIECE: '1' }
  const rows = await withTarget(settings, async (port) => {
    const perUser = async (script: string): Promise<Held> => {
      const held = (users: number): Promise<Held> =>
        heldK6({ k6, script, port, users, scale: slowlyOf(users, 2, 100), numbersInLines: true })
      const [small, large] = [await held(few), await held(many)]
      const slope = (of: keyof Held): number => (large[of] - small[of]) / (many - few)
      return { live_kb: slope('live_kb'), resident_kb: slope('resident_kb') }
    }
    const all = []
    for (let pair = 0; pair < pairs; pair += 1) all.push({ bare: await perUser(BARE), library: await perUser(library) })
    return all
  })
  for (const [what, of] of [
    ['live memory', 'live_kb'],
    ['resident memory', 'resident_kb'],
  ] as const) {
    say(
      `${what} a user, bare`,
      rows.map(({ bare }) => bare[of]),
      'kB',
    )
    say(
      `${what} a user, library`,
      rows.map((row) => row.library[of]),
      'kB',
    )
    say(
      `${what} a user, library - bare (goal ≤ 120)`,
      rows.map((row) => row.library[of] - row.bare[of]),
      'kB',
    )
  }
}
