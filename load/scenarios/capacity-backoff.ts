import { calledWrong, countFare } from '../core/fared.ts'
import { join, lostFor, nothingFound } from '../core/findings.ts'
import { type CreateTry, judgeDuplicates, judgeStuck, type StuckKey } from '../core/limits/duplicate-oracle.ts'
import type { Ruling } from '../core/limits/laws.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { judgeRefusals } from '../core/limits/refusal-oracle.ts'
import { saysWrong } from '../core/refusal.ts'
import { OTHER } from '../core/tally.ts'
import { onKey, type RestMachine } from './limits/rest-machine.ts'
import { straysBeside } from './limits/strays.ts'
import { type ReceivedEvent, Workspace } from './limits/workspace.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type BackoffCount = LawCount | 'creates'
export type BackoffTime = 'back_off_ms' | 'served_after_ms'

/** How often a fresh key has to be served while another stays refused after all its tries, in how many rounds at most. */
const SERVED = 12
const ROUNDS = 24
const PAUSE_MS = 2_000

const about = ['capacity-wrong-status', 'capacity-retry-after'] as const
const never = 'capacity never lacked: no create was refused with 30008, so there was nothing to judge'

const noneServed = 'capacity never came back: no create was served, however often it was sent again'

/** Creates sessions on a platform that is short of capacity, and backs off until it is served. */
export const capacityBackoff: Scenario<BackoffCount, BackoffTime> = {
  name: 'capacity-backoff',
  about: 'Creates that are refused with 30008 come back by full-jitter exponential back-off until they are served.',
  measures: () => ({
    counts: {
      ...lawCounts,
      creates: ['at-once', 'after-back-off', 'given-up', 'full', 'refused', 'called-wrong', OTHER],
    },
    // Each wait; and from the first refusal to the session.
    times: ['back_off_ms', 'served_after_ms'],
  }),
  judges_times: false,
  price: () => ({ requests: 5, sessions: 1 }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate,
  // Few services lack capacity when they are tried: in a mix, the others are judged all the same.
  judge: (tally, { scenarios }) => {
    const creates = tally.counts('creates')
    const served = tally.total('creates', ['at-once', 'after-back-off'])
    return join([
      judgeLaws(tally, about, scenarios > 1 ? undefined : never),
      {
        ...nothingFound,
        trouble: calledWrong(tally, 'creates'),
        invalid: [
          ...lostFor(
            creates.get('full') ?? 0,
            tally.total('creates'),
            'creates were refused for want of a place (30006; does "limits" of the profile say too much under concurrent_sessions? or do creates that are refused with 30008 take places?)',
          ),
          ...(served === 0 && (creates.get('given-up') ?? 0) > 0 ? [{ text: noneServed }] : []),
        ],
      },
    ])
  },
}

async function iterate(machine: Machine<BackoffCount, BackoffTime>): Promise<void> {
  const timed = timingWaits(machine)
  // In the same words each time: of many iterations, each of which has one create, all that is called wrong counts.
  const workspace = new Workspace(timed.machine, ['timeout'])
  const key = workspace.freshKey()
  const rulings: Ruling[] = []
  let strays: ReadonlyMap<string, readonly string[]> = new Map()
  try {
    const received = await workspace.create(key)
    timed.stop()
    const [first] = workspace.refusals.filter(({ code }) => code === '30008')
    if (received === 'opened' && first !== undefined)
      machine.tally.time('served_after_ms').record(machine.now() - first.answeredAt)
    const outcome = outcomeOf(received, first !== undefined, isCalledWrong(workspace.triesOf(key)))
    machine.tally.count('creates', outcome)
    if (received === 'opened' || outcome === 'called-wrong')
      countFare(machine.tally, machine.key, received === 'opened' ? 'taken' : 'wrong')
    // Until it is answered: a refusal tells nothing of whether the key is known.
    if (received === 'opened') await workspace.create(key)
    // The first one may have ended by itself meanwhile, and then its key may stand for another one.
    if (workspace.opened.size > 1) await workspace.findEnded()
    if (first !== undefined) rulings.push(...judgeStuck(await lookAt(workspace, key, received)))
    // A refusal may have made a session all the same.
    if (received === 'opened' && first !== undefined) strays = await straysBeside(workspace)
  } finally {
    await workspace.cleanUp()
  }
  countRulings(machine.tally, [
    ...judgeRefusals(workspace.refusals),
    ...judgeDuplicates(workspace.tries, { closedAt: workspace.closedAt, strays }),
    ...rulings,
  ])
}

/**
 * A key that was refused to the end: is it the key, or is everybody refused? Capacity comes and goes, so that fresh keys have to
 * be served many times, and this one never.
 */
async function lookAt(workspace: Workspace, key: string, received: ReceivedEvent): Promise<StuckKey[]> {
  const law = 'capacity-key-stuck'
  if (received === 'opened') return [{ law, served: true, othersServed: true }]
  if (received !== 'lost') return []
  let served = 0
  for (let round = 0; round < ROUNDS && served < SERVED; round += 1) {
    if ((await workspace.tryCreate(workspace.freshKey())).code === '0') served += 1
    await Promise.all(workspace.open.map((session) => workspace.close(session)))
    if ((await workspace.tryCreate(key)).code !== '30008') return []
    await workspace.machine.wait(PAUSE_MS)
  }
  return served < SERVED ? [] : [{ law, served: false, othersServed: true }]
}

/** The waits of a create, until it is over. */
function timingWaits(machine: Machine<BackoffCount, BackoffTime>): { machine: RestMachine; stop(): void } {
  let isOver = false
  const wait = (ms: number): Promise<void> => {
    if (!isOver) machine.tally.time('back_off_ms').record(ms)
    return machine.wait(ms)
  }
  return { machine: { ...onKey(machine, machine.key), wait }, stop: () => (isOver = true) }
}

function outcomeOf(received: ReceivedEvent, backedOff: boolean, isWrong: boolean): string {
  if (received === 'opened') return backedOff ? 'after-back-off' : 'at-once'
  if (received === 'refused' && isWrong) return 'called-wrong'
  return received === 'lost' ? 'given-up' : received
}

/** Behind one that may have made something, it may say that that is in progress. */
const isCalledWrong = (tries: readonly CreateTry[]): boolean =>
  tries.every(({ outcome }) => outcome === 'throttled' || outcome === 'refused') && saysWrong(tries.at(-1)?.code ?? '')
