import { explain, leastOf } from '#judge/orders/orders'
import { type DrawnBodies, judgeDrawn } from '#judge/refused-values'
import type { Report, Rule } from '#judge/rule'
import type { RequirementId } from '#spec/register'
import { at } from '#trace/json'
import { walkedIn } from './deeds.ts'
import { type Deed, lifeModel, type State } from './life-model.ts'
import { propertyIds } from './moves.ts'

const late: RequirementId = 'world-sessions.client-secret.after-close-rejected'
const again: RequirementId = 'world-sessions.close.never-active-again'
/** By what was refused to a session that turned out to be open. */
const accepted = {
  get: 'world-sessions.get.own-session-found',
  renew: 'world-sessions.client-secret.accepted',
  close: 'world-sessions.close.accepted',
} as const satisfies { readonly [did in Deed['did']]: RequirementId }

/** Content that is refused is so by a code that is not said. */
const drawn: DrawnBodies = {
  operation: 'create-world-session',
  shape: 'rest/create-world-session.request',
  row: 'world-sessions.create.minimal-accepted',
  aside: [30001],
  // Bounds of durations are not shown (section 8), nor which models start by themselves (2.12).
  mayLack: (body) =>
    at(body, '/continuation/start_mode') === 'automatic' || at(body, '/max_session_duration_seconds') !== undefined,
}

/** Lives of world sessions on random walks: no order of what was done explains it. */
export const worldWalks: Rule = {
  id: 'world-sessions.walks',
  proves: [late, again, ...Object.values(accepted), drawn.row],
  judge(trace, report) {
    for (const { start, deeds } of walkedIn(trace, propertyIds)) judgeLife(start, deeds, report)
    judgeDrawn(trace, drawn, propertyIds, report)
  },
}

function judgeLife(start: State, deeds: readonly Deed[], report: Report): void {
  const model = lifeModel(start)
  const found = explain(deeds, model)
  if (found.is === 'overflow') return
  const last = found.is === 'broken' ? deeds[found.place] : undefined
  if (last === undefined) reportEnd(start, deeds, report)
  for (const [place, before] of found.believed) {
    const deed = deeds[place]
    if (deed !== undefined && deed !== last) credit(deed, before, report)
  }
  if (last === undefined || found.is !== 'broken') return
  const isSame = (shorter: readonly Deed[]): boolean => {
    const other = explain(shorter, model)
    return other.is === 'broken' && shorter[other.place] === last && blame(last, shorter) === blame(last, deeds)
  }
  const shortest = leastOf(deeds, found.place, isSame)
  const before = [...new Set(found.believed.get(found.place))]
  report.broken(blame(last, deeds), {
    expected: `what a session allows that is ${before.join(' or ')}`,
    got: gotOf(last),
    lines: shortest.flatMap(({ lines }) => lines),
    scenario: last.scenario,
  })
}

/**
 * The first request for secrets of a session that was open when it was last seen, and that had ended by itself when it was
 * refused: one session may end so just then, but not each that is asked.
 */
function reportEnd(start: State, deeds: readonly Deed[], report: Report): void {
  let seen: State = start
  for (const { did, ended, status, lines, scenario } of deeds) {
    if (did === 'close') return
    if (did === 'get') seen = ended === 'missing' ? 'gone' : (status ?? seen)
    if (did === 'renew' && ended !== 'done') {
      if (seen !== 'active') return
      const got = gotOf({ did, ended, status })
      const accident = 'the service ended the session'
      return report.broken(accepted.renew, { expected: 'fresh secrets', got, lines, scenario, accident })
    }
  }
}

const isEnded = (state: State): boolean => state !== 'active' && state !== 'provisioning'

function credit({ did, ended, lines }: Deed, before: readonly State[], report: Report): void {
  if (ended === 'done' && before.every((state) => state === 'active')) report.held(accepted[did], ...lines)
  if (did === 'renew' && ended !== 'done' && before.every(isEnded)) report.held(late, ...lines)
}

/** What is open though it was closed; else whoever refused something to it was wrong. */
function blame(last: Deed, deeds: readonly Deed[]): RequirementId {
  const past = deeds.slice(0, deeds.indexOf(last))
  const wasClosed = past.some(({ did, ended }) => did === 'close' && ended === 'done')
  if (wasClosed) return last.did === 'renew' ? late : again
  const refusal = past.findLast(({ ended }) => ended === 'refused' || ended === 'missing')
  return refusal === undefined ? accepted[last.did] : accepted[refusal.did]
}

const names = { get: 'Get', renew: 'Create Client Secret', close: 'Close' } as const

function gotOf({ did, ended, status }: Pick<Deed, 'did' | 'ended' | 'status'>): string {
  if (status !== undefined) return `${names[did]} shows ${status}`
  return `${names[did]} ${ended === 'done' ? 'succeeds' : ended === 'missing' ? 'answers 20005' : 'is refused'}`
}
