import { explain, type Model, type Timed } from '#judge/orders/orders'
import { show } from '#judge/show'
import { isObject, type Json } from '#trace/json'
import { ruleOf } from '../model/say.ts'
import { isDecided, type ReceivedEvent, type SentEvent, type Session, sessionsOf } from '../model/sessions.ts'
import { type Asked, readState } from '../model/state.ts'
import { shownSession, type Update, updatesOf } from '../model/updates.ts'

/** Mode and active avatar; which image follows from them is judged where nothing came between. */
interface State {
  readonly mode: string
  readonly avatar: string
}

interface Deed extends Timed {
  readonly asked: Asked
  /** It was completed; what was superseded may have been applied or not. */
  readonly sure: boolean
  /** What it showed, where nothing else was on its way. */
  readonly shown?: State
}

/** More updates at once give too many orders. */
const mostAtOnce = 6

/**
 * "Omitted fields unchanged" (4.4), whoever else updates the session at the same moment: what the next update shows is
 * what some order of those before it leads to.
 */
export const sessionRaces = ruleOf('session-races', ['session-update.persists'], (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const { before, rivals, next } of racesOf(session)) {
      const history = [...rivals.map(deedOf), lookOf(next)]
      const found = explain(history, modelFrom(before))
      const row = 'session-update.persists'
      const places = [...rivals.map(({ sent }) => sent), next.updated]
      if (found.is === 'legal') say.held(row, ...places)
      else if (found.is === 'broken' && found.place === history.length - 1) {
        const expected = `what some order of ${rivals.length} updates leads to, sent on two connections at once`
        say.broken(row, expected, show(next.updated.event['session']), ...places)
      }
    }
  }
})

interface Race {
  readonly before: State
  /** Updates that were on their way at the same time, on several connections; all of them have ended. */
  readonly rivals: readonly Update[]
  /** The next update, which was sent when all of them had ended and was alone. */
  readonly next: Look
}

/** An update that shows what came of those before it. */
interface Look {
  readonly sent: SentEvent
  readonly asked: Asked
  readonly updated: ReceivedEvent
  readonly shown: State
}

function* racesOf(session: Session): Generator<Race> {
  const { updates } = updatesOf(session)
  let before = shownBy(session.create?.data['session'])
  for (let place = 0; place < updates.length; ) {
    const rivals = togetherFrom(updates, place)
    place += rivals.length
    const [alone] = rivals
    if (rivals.length === 1 && alone !== undefined) before = stateAfter(alone, before)
    else {
      const next = lookIn(togetherFrom(updates, place))
      if (before !== undefined && next !== undefined && isRace(rivals)) yield { before, rivals, next }
      // What is in effect now shows with the next update.
      before = undefined
    }
  }
}

/**
 * An update that was alone, and showed a state that can be read: nothing else tells what came of those before it. One that
 * does not complete may show what it named or what was before.
 */
function lookIn([next, ...others]: readonly Update[]): Look | undefined {
  const updated = next?.updated[0]
  if (next === undefined || updated === undefined || others.length > 0 || !isDecided(updated)) return undefined
  if ((next.done[0]?.event['status'] ?? 'completed') !== 'completed') return undefined
  const shown = shownBy(shownSession(updated))
  return shown === undefined ? undefined : { sent: next.sent, asked: next.asked, updated, shown }
}

/** Updates that overlap, from one on. */
function togetherFrom(updates: readonly Update[], place: number): readonly Update[] {
  let end = endOf(updates[place])
  let next = place + 1
  for (; next < updates.length && (updates[next]?.sent.line ?? 0) < end; next += 1)
    end = Math.max(end, endOf(updates[next]))
  return updates.slice(place, next)
}

/** The first line at which it is known to be over. */
function endOf(update: Update | undefined): number {
  return (update?.done[0] ?? update?.errors[0] ?? update?.failures[0])?.line ?? Number.POSITIVE_INFINITY
}

/** A failed update may have taken others back with it, and a refused or nameless one may be another's. */
function isRace(rivals: readonly Update[]): boolean {
  const clear = rivals.every(({ sent, shared, errors, done }) => {
    const status = done[0]?.event['status']
    return sent.id !== undefined && !shared && errors.length === 0 && (status === 'completed' || status === 'cancelled')
  })
  return clear && rivals.length <= mostAtOnce && new Set(rivals.map(({ sent }) => sent.connection)).size > 1
}

/** What is in effect after an update that was alone; undefined where that is not sure. */
function stateAfter({ updated, errors, done }: Update, before: State | undefined): State | undefined {
  if (errors.length > 0 && updated.length === 0) return before
  const [shown] = updated
  return shown !== undefined && done[0]?.event['status'] === 'completed' ? shownBy(shownSession(shown)) : undefined
}

function shownBy(session: Json | undefined): State | undefined {
  const state = isObject(session) ? readState(session) : undefined
  return state === undefined ? undefined : { mode: state.mode, avatar: state.avatar }
}

function deedOf(update: Update): Deed {
  const sure = update.done[0]?.event['status'] === 'completed'
  return { from: update.sent.line, until: endOf(update), asked: update.asked, sure }
}

function lookOf({ sent, asked, updated, shown }: Look): Deed {
  return { from: sent.line, until: updated.line, asked, sure: true, shown }
}

function modelFrom(before: State): Model<State, Deed> {
  return {
    start: [before],
    step: (state, { asked, sure, shown }) => {
      const after = { mode: asked.mode ?? state.mode, avatar: asked.avatar ?? state.avatar }
      if (shown !== undefined && (shown.mode !== after.mode || shown.avatar !== after.avatar)) return []
      return sure ? [after] : [state, after]
    },
    nameOf: ({ mode, avatar }) => `${mode} ${avatar}`,
  }
}
