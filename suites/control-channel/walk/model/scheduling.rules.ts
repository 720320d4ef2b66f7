import { scheduled } from '../shown.ts'
import { ruleOf, type Say } from '../../model/say.ts'
import { patienceOf, sessionsOf } from '../../model/sessions.ts'
import { type Blame, blame } from './blame.ts'
import { type Heard, isAside, mostStates, type Sight, type State, step, unseen, withoutUntold } from './scheduler.ts'
import { type Seen, storyOf, type Story } from './sights.ts'
import { type Standstill, standstillBehind } from './standstill.ts'
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
  /** Where the truths began, or began anew. */
  #began: Standstill = { place: 0, states: [[]] }

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
        this.#began = standstill
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
    const found = blame(before, this.#story, place) ?? this.#blameRefusal(place)
    if (found === undefined) return
    const { rows: broken, expected, got, places } = found
    for (const row of broken) this.#say.broken(row, expected, got, ...places)
  }

  /**
   * What goes on speaking until something later cuts it short has not ended by itself: where only such an end explained a
   * refusal before, that refusal was wrong. It is the last one without which all is well.
   */
  #blameRefusal(place: number): Blame | undefined {
    const { seen } = this.#story
    const sight = seen[place]?.sight
    if (sight?.saw !== 'text' || !this.#isCutLater(sight.id, place)) return undefined
    for (let at = place - 1; at >= this.#began.place; at -= 1) {
      const one = seen[at]?.sight
      if (one?.saw === 'error' && this.#isPossible(place, one.id)) return blame(this.#before(at), this.#story, at)
    }
    return undefined
  }

  #isCutLater(id: number, place: number): boolean {
    const later = this.#story.seen.slice(place).map(({ sight }) => sight)
    const end = later.findIndex((sight) => sight.saw === 'done' && sight.id === id)
    const [done, before] = [later[end], later.slice(0, Math.max(0, end))]
    const cuts = (sight: Sight): boolean =>
      sight.saw === 'sent' && (sight.request.policy === 'interrupt' || isAside(sight.request))
    return done?.saw === 'done' && done.status === 'cancelled' && before.some(cuts)
  }

  /** All that was seen up to a place can be, but for one request. */
  #isPossible(place: number, without: number): boolean {
    const states = this.#after(place + 1, without)
    return states.length > 0 && states.length <= mostStates
  }

  /** The truths just before a place, with what happened unseen. */
  #before(place: number): readonly State[] {
    return unseen(this.#after(place))
  }

  #after(place: number, without?: number): readonly State[] {
    let { states } = this.#began
    for (const { sight } of this.#story.seen.slice(this.#began.place, place)) {
      if (idOf(sight) !== without || without === undefined)
        states = withoutUntold(step(unseen(states), sight), this.#heard)
    }
    return states
  }
}

const idOf = (sight: Sight): number | undefined => {
  if (sight.saw === 'sent') return sight.request.id
  return sight.saw === 'silence' ? undefined : sight.id
}
