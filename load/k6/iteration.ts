import { clearTimeout, setTimeout } from 'k6/timers'
import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import { seeded } from '../core/random.ts'
import type { Tally } from '../core/tally.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { printWindow, WINDOW_MS } from './lines.ts'
import { K6Machine, type Place } from './machine.ts'
import type { Meter } from './meter.ts'
import type { Settings } from './settings.ts'

/** So often a long iteration hands its times to k6, and no more than these are lost where k6 breaks it off. */
const TIMES_MS = 12 * WINDOW_MS

/** Runs one iteration of a scenario: counts its begin and end, hands its numbers over, and prints them window by window. */
export async function runIteration(
  scenario: Scenario,
  settings: Settings,
  meter: Meter | undefined,
  place: Omit<Place, 'flush'>,
): Promise<void> {
  const { tally, now, sample } = place
  const say = (at: number, all = false): void => {
    const numbers = meter === undefined ? tally.takeOut() : meter.flush(tally, all)
    if (Object.keys(numbers).length > 0) printWindow(at, scenario.name, numbers)
  }
  const machine = new K6Machine(settings, { ...place, flush: () => say(now()) })
  tally.count('iterations', 'begun')
  tally.time('start_lag_ms').record(now() - place.intended)
  // Of their own, so that what a scenario draws is the same however long it takes.
  const draw = seeded(`${place.random()}`)
  // Every pulse is another time apart: a generator that stands still at a beat would soon be in step with them.
  let due = now()
  const pulse = (): ReturnType<typeof setTimeout> => {
    const at = now()
    const end = (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS
    due = Math.min(at + pulseMs(settings) * (0.5 + draw()), end)
    return setTimeout(() => {
      const late = now() - due
      tally.time('timer_lag_ms').record(late)
      sample?.late(late)
      if (due === end) say(end - 1, end % TIMES_MS === 0)
      timer = pulse()
    }, due - at)
  }
  let timer = pulse()
  try {
    await scenario.iterate(machine)
    tally.count('iterations', 'ended')
  } catch (error) {
    console.error(`greenroom: ${scenario.name} broke off: ${error instanceof Error ? error.message : String(error)}`)
    tally.count('iterations', 'thrown')
  }
  clearTimeout(timer)
  // Where all stood still, the end may come before the pulse that was due meanwhile.
  sample?.late(now() - due)
  countUnclosed(tally, machine)
  say(now(), true)
}

function countUnclosed(tally: Tally<CommonCount, CommonTime>, machine: K6Machine): void {
  if (machine.unclosed > 0) tally.count('sessions', 'unclosed', machine.unclosed)
}

/** How often all users of a process together look whether timers are late; each user also at the end of every window. */
const PULSES_A_SECOND = 500
const SHORTEST_PULSE_MS = 100

/** A generator that gets little of its time shows it in every pulse, however little there is to do. */
const pulseMs = ({ workload }: Settings): number =>
  Math.max(SHORTEST_PULSE_MS, (1_000 * workload.users) / PULSES_A_SECOND)
