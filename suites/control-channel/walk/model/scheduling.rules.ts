import { scheduled } from '../shown.ts'
import { ruleOf, type Say } from '../../model/say.ts'
import { patienceOf, sessionsOf } from '../../model/sessions.ts'
import { blame } from './blame.ts'
import { type Heard, mostStates, type State, step, unseen, withoutUntold } from './scheduler.ts'
import { type Seen, storyOf, type Story } from './sights.ts'
import { standstillBehind } from './standstill.ts'
import { type ScheduleRow, scheduleRows } from './schedule-rows.ts'

/**
 * Which response starts, waits, is refused or ends, whatever came before (4.4 Scheduling): all truths that are possible are
 * kept, and what none of them allows is a breach.
 */
export const schedules = ruleOf('schedules', scheduleRows, (trace, say) => {
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) new Follower(storyOf(session, patience), say).follow()
})

class Follower {
  readonly #story: Story
  readonly #say: Say<ScheduleRow>
  readonly #heard: Heard
  #states: readonly State[] = [[]]

  constructor(story: Story, say: Say<ScheduleRow>) {
    this.#story = story
    this.#say = say
    const told = (saw: 'error' | 'created') =>
      new Set(story.seen.flatMap(({ sight }) => (sight.saw === saw ? [sight.id] : [])))
    this.#heard = { refused: told('error'), begun: told('created') }
  }

  follow(): void {
    const { seen } = this.#story
    let before: readonly State[] | undefined
    for (let place = 0; place < seen.length; place += 1) {
      const one = seen[place]
      if (one === undefined) return
      // What a sight left as it was has nothing unseen before it that is not in it.
      if (this.#states !== before) before = unseen(this.#states)
      if (before.length > mostStates) {
        this.#giveUp(one)
        const standstill = standstillBehind(seen, place)
        if (standstill === undefined) return
        this.#states = standstill.states
        before = undefined
        place = standstill.place - 1
        continue
      }
      this.#states = withoutUntold(step(before, one.sight), this.#heard)
      if (this.#states.length === 0) {
        this.#blame(before, place)
        return
      }
    }
  }

  /** What comes until all is answered is judged by nobody: the rows say so where nothing else speaks for them. */
  #giveUp({ at }: Seen): void {
    const why = `more than ${mostStates} orders of what was sent are possible: what came then is not judged`
    for (const row of scheduled) this.#say.open(row, why, at)
  }

  #blame(before: readonly State[], place: number): void {
    const found = blame(before, this.#story, place)
    if (found === undefined) return
    const { rows: broken, expected, got, places } = found
    for (const row of broken) this.#say.broken(row, expected, got, ...places)
  }
}
