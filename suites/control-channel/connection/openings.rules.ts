import { show } from '#judge/show'
import { responsesOf } from '../model/responses.ts'
import { ruleOf } from '../model/say.ts'
import { type ReceivedEvent, isDecided, sessionsOf } from '../model/sessions.ts'

/** "Terminal result of the opening; may be replayed to a new control connection" (6.2). */
export const openings = ruleOf(
  'openings',
  ['opening-done.completed-without-reason', 'opening-done.once-a-connection', 'opening-done.replay-agrees'],
  (trace, say) => {
    for (const session of sessionsOf(trace)) {
      const all = session.received.filter(({ type }) => type === 'session.bootstrap.opening.done')
      for (const received of all) {
        const reason = received.event['reason']
        if (reason !== undefined) say.saw('opening-done.reason-values', show(reason).slice(0, 80), received)
        if (received.event['status'] !== 'completed') continue
        say.judge(
          'opening-done.completed-without-reason',
          // An optional text may come empty.
          reason === undefined || reason === '',
          'no reason',
          () => show(reason),
          received,
        )
      }
      const [first, ...later] = all
      if (first === undefined) continue
      say.saw('opening-done.seen', later.length > 0 ? 'told and replayed' : 'told', first)
      for (const received of later) {
        if (isAnew(first, received)) continue
        const good = received.event['status'] === first.event['status']
        say.judge(
          'opening-done.replay-agrees',
          good,
          show(first.event['status']),
          () => show(received.event['status']),
          first,
          received,
        )
      }
      for (const [once, again] of byConnection(all)) {
        if (again === undefined) say.held('opening-done.once-a-connection', once)
        else if (isDecided(again))
          say.broken('opening-done.once-a-connection', 'one on a connection', 'another one', once, again)
      }
    }
  },
)

/** One that did not complete, as where its connection was left, may be spoken anew on the next: that is no replay. */
function isAnew(first: ReceivedEvent, { connection, line }: ReceivedEvent): boolean {
  if (first.event['status'] === 'completed' || connection === first.connection) return false
  return responsesOf(connection.session).some(
    ({ created: [created], origin }) =>
      origin.candidates.length === 0 &&
      created?.connection === connection &&
      created.line > first.line &&
      created.line < line,
  )
}

function byConnection(all: readonly ReceivedEvent[]): readonly (readonly [ReceivedEvent, ReceivedEvent | undefined])[] {
  const groups = Map.groupBy(all, ({ connection }) => connection)
  return [...groups.values()].flatMap(([once, again]) => (once === undefined ? [] : [[once, again] as const]))
}
