import type { Session } from '../core/envelope.ts'
import { flawFindings } from '../core/events/chain-laws.ts'
import { flaws } from '../core/events/chain.ts'
import { cutMoments, cutOff, howCut } from '../core/cuts.ts'
import { endedByService, type Finding, type Findings, lostFor, manyOf, some } from '../core/findings.ts'
import { silences } from '../core/silence.ts'
import { type Measures, OTHER } from '../core/tally.ts'
import { OVERTIME_MS } from '../workloads.ts'
import { closeSession, createSession, hasEnded } from './avatar-session.ts'
import { ControlChannel } from './control-channel.ts'
import { InterruptRound } from './interrupts/interrupt-round.ts'
import { turnedAway } from './response-measures.ts'
import type { Facts, Scenario } from './scenario.ts'
import { turnedAwayFindings } from './turned-away.ts'
import { openPatiently } from './upgrade.ts'
import type { InterruptCount, InterruptMachine, InterruptTally, InterruptTime } from './interrupts/interrupt-machine.ts'

function measures(): Measures<InterruptCount, InterruptTime> {
  return {
    counts: {
      // `blind`: responses came without ids, so that nobody knows which is which.
      // `moved`: cut by a server that said that it goes away; `ended`: by the service, which ended the session. `overtime`: the time of the iteration was over.
      // `unordered`: what was sent at once may have been handled in another order, and the round is played again one by one;
      // `unplayed`: there was no time for that.
      // `unopened`: none began, since there was no connection.
      rounds: [
        'begun',
        'whole',
        'silent',
        'overtime',
        'cut',
        'moved',
        'ended',
        'blind',
        'unordered',
        'unplayed',
        'unopened',
        OTHER,
      ],
      // What became of responses that another one interrupted; `unbegun`: before they began; `undone`: without a `response.done`.
      interrupted: ['cancelled', 'completed', 'incomplete', 'failed', 'unbegun', 'undone', OTHER],
      // Of the response that nobody interrupts.
      last: ['whole', 'broken', 'unfinished', 'failed', 'undone', 'rejected', OTHER],
      // Of the one that waits for it, and of another one that must not wait beside it.
      pending: ['whole', 'broken', 'unfinished', 'failed', 'stuck', 'rejected', OTHER],
      second_pending: ['rejected', 'ran', 'lost', OTHER],
      cuts: cutMoments(),
      moves: cutMoments(),
      flaws: [...flaws, OTHER],
      turned_away: turnedAway,
    },
    times: ['interrupt_ms', 'created_ms', 'first_delta_ms', 'pending_start_ms'],
  }
}

/** Section 4.4, scheduling: `interrupt` cancels what runs, and what was interrupted still ends; one response may wait. */
export const interruptStorm: Scenario<InterruptCount, InterruptTime> = {
  name: 'interrupt-storm',
  about: 'Responses interrupt each other in quick succession; each must still end, and the one that waits must run.',
  measures,
  judges_times: true,
  price: ({ turns, turn_interval_ms }) => ({ requests: 2, sessions: 1, busy_ms: 1_000 + turns * turn_interval_ms }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate: interrupt,
  judge,
}

/** How many responses are interrupted in a round; in one of so many rounds, one is. */
const SEVERAL = 3
const ONCE = 3

async function interrupt(machine: InterruptMachine): Promise<void> {
  const created = await createSession(machine)
  if (!('session' in created)) {
    machine.tally.count('turned_away', created.refusal)
    return
  }
  await storm(machine, created.session)
  await closeSession(machine, created.session)
}

async function storm(machine: InterruptMachine, session: Session): Promise<void> {
  let round: InterruptRound | undefined
  const timeUp = machine.now() + machine.workload.iteration_ms
  let told = false
  const [cleared, failures]: [string[], string[]] = [[], []]
  const channel = new ControlChannel(machine, session, (event, at) => {
    told ||= event.type === 'session.closed'
    round?.take(event, at)
  })
  if ((await openPatiently(machine, session, channel)) !== 'opened') {
    machine.tally.count('rounds', (await hasEnded(machine, session)) ? 'ended' : 'unopened')
    return
  }
  void channel.ended.then(() => round?.cut())
  // What was sent at once and may have been handled in another order is tried again, once, and from then on one by one.
  let [oneByOne, again, most] = [false, false, Number.POSITIVE_INFINITY]
  for (let turn = 0; turn < machine.workload.turns; turn += again ? 0 : 1) {
    if (machine.now() >= timeUp + (again ? OVERTIME_MS / 3 : 0)) {
      if (again) machine.tally.count('rounds', 'unplayed')
      break
    }
    machine.tally.count('rounds', 'begun')
    round = new InterruptRound(machine, channel, {
      name: `${machine.name}-${turn}${again ? 'b' : ''}-`,
      end: timeUp + OVERTIME_MS,
      before: { cleared, failures, unbegun: round?.unbegun ?? 0, opened: round !== undefined },
      // Once: it takes longer than other rounds.
      longest: turn === 1 ? (round?.longText ?? 0) : 0,
      // What one of them does wrong, the next may put right.
      interrupted: turn % ONCE === ONCE - 1 ? 1 : SEVERAL,
      most,
      oneByOne,
      hasEnded: async () => told || (await hasEnded(machine, session)),
    })
    const outcome = await round.play()
    cleared.push(...round.cleared)
    failures.push(...round.failures)
    machine.tally.count('rounds', outcome === 'cut' ? howCut(machine.tally, channel) : outcome)
    again = outcome === 'unordered'
    oneByOne ||= again
    if (again) most = round.paced
    if (outcome !== 'whole' && !again) break
  }
  await channel.close()
}

function judge(tally: InterruptTally, { workload }: Facts): Findings {
  const [interrupted, last, pending] = [tally.counts('interrupted'), tally.counts('last'), tally.counts('pending')]
  const rounds = tally.counts('rounds')
  const moved = rounds.get('moved') ?? 0
  const [blind, ended, overtime] = [rounds.get('blind') ?? 0, rounds.get('ended') ?? 0, rounds.get('overtime') ?? 0]
  const unplayed = rounds.get('unplayed') ?? 0
  const playedAgain = (rounds.get('unordered') ?? 0) - unplayed
  const away = turnedAwayFindings(tally, 'sessions')
  const flawed = flawFindings(tally)
  const silent = silences(silencesIn(tally), tally, workload.patience_ms)
  const begun = rounds.get('begun') ?? 0
  const cut = cutOff(tally, rounds, { whole: 'whole', begun, what: 'rounds' })
  return {
    broken: [
      ...flawed.broken,
      ...silent.broken,
      // However late we are: nothing but its own text is a reason, and that was shortened.
      ...some(last.get('rejected') ?? 0, 'responses that interrupt were rejected'),
    ],
    trouble: [
      ...silent.trouble,
      ...manyOf(
        [interrupted, last, pending].reduce((sum, counts) => sum + (counts.get('failed') ?? 0), 0),
        tally.total('interrupted') + tally.total('last') + tally.total('pending'),
        'responses ended failed or incomplete',
      ),
      ...some(last.get('unfinished') ?? 0, 'responses that nobody interrupted did not come whole'),
      ...some(
        (pending.get('rejected') ?? 0) + (pending.get('unfinished') ?? 0),
        'responses that waited were not completed',
      ),
      ...some(rounds.get('unopened') ?? 0, 'control channels did not open'),
      ...cut.trouble,
      ...away.trouble,
      ...(rounds.get('whole') === undefined && blind + ended + overtime + moved + unplayed === 0
        ? [{ text: 'no round came to its end' }]
        : []),
    ],
    invalid: [
      ...flawed.invalid,
      ...silent.invalid,
      ...away.invalid,
      ...cut.invalid,
      ...endedByService(ended, begun, 'rounds'),
      ...lostFor(unplayed, begun, `rounds had no time to be played again: ${ofOrder}`),
      ...lostFor(
        overtime,
        begun,
        'rounds still went on when their time was over (the workload is too short for this target, or the machine too busy)',
      ),
      ...some(
        blind,
        'rounds were not judged: the target shows its responses without `id` (optional, 2.10), and of several at once nobody can tell then which is which; control-throughput has one at a time',
      ),
    ],
    notes: some(playedAgain, `rounds were played again, each response after the one before: ${ofOrder}`),
  }
}

const ofOrder =
  'what came of responses that were sent at once may be due to the order in which they were handled, and none is promised'

/** What never came, though the round waited as long as anything moved. */
function silencesIn(tally: InterruptTally): Finding[] {
  return [
    ...some(
      tally.counts('interrupted').get('undone') ?? 0,
      'interrupted responses never ended',
      'control-channel.response-done.always',
    ),
    ...some(tally.counts('last').get('undone') ?? 0, 'responses that nobody interrupted never ended'),
    ...some(
      tally.counts('pending').get('stuck') ?? 0,
      'responses that waited never began or never ended',
      'control-channel.scheduling.after-current-runs',
    ),
    ...some(tally.counts('second_pending').get('lost') ?? 0, 'second waiting responses were neither rejected nor run'),
  ]
}
