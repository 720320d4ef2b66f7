import { firstPlace } from '#trace/first-place'
import { show } from '#judge/show'
import { isOneOfAKind } from '../model/ids.ts'
import { broughtBy, itemIdIn } from '../model/items.ts'
import { responseIdIn } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Connection, type ReceivedEvent, isDecided, type Session, sessionsOf, textAt } from '../model/sessions.ts'

const row = 'isolation.events-not-shared'

/** No event about what belongs to one session comes on a connection of another (5.3: the secret is scoped to its session). */
export const isolation = ruleOf('isolation', [row], (trace, say) => {
  const sessions = sessionsOf(trace)
  const owners = ownersOf(sessions, (id) => isOneOfAKind(trace, id))
  const calendar = calendarOf(sessions)
  for (const session of sessions) {
    const own = judgeSession(session, owners, say)
    const [any] = session.received
    if (own > 0 && any !== undefined && overlaps(session, calendar)) say.held(row, any)
  }
})

/** @returns how many events are about what the session itself has */
function judgeSession(session: Session, owners: ReturnType<typeof ownersOf>, say: Say<typeof row>): number {
  let own = 0
  for (const received of session.received) {
    if (!isDecided(received)) continue
    const [name, owner] = foreignIn(received, session, owners) ?? []
    if (name !== undefined && owner !== undefined) {
      const expected = 'events of its own session'
      say.broken(row, expected, `${received.type} about ${show(name)} of another one`, owner, received)
    } else if (itemIdIn(received) !== undefined || responseIdIn(received) !== undefined) own += 1
  }
  return own
}

/** Where an id of ours was used: ids of events and items that we gave are ours alone. */
interface Owners {
  readonly session: Session
  readonly place: ReceivedEvent
}

function ownersOf(sessions: readonly Session[], counts: (id: string) => boolean): ReadonlyMap<string, Owners> {
  const owners = new Map<string, Owners>()
  const shared = new Set<string>()
  for (const session of sessions) {
    for (const sent of session.sent) {
      const item = sent.event['item']
      const given = typeof item === 'object' && item !== null ? (item as { readonly id?: unknown }).id : undefined
      const brought = broughtBy(sent).map((one) => one['id'])
      for (const id of [sent.id, given, ...brought]) {
        if (typeof id !== 'string' || id === '' || !counts(id)) continue
        const owner = owners.get(id)
        if (owner === undefined) owners.set(id, { session, place: sent })
        else if (owner.session !== session) shared.add(id)
      }
    }
  }
  for (const id of shared) owners.delete(id)
  return owners
}

/** Ids that a server made may be the same in several sessions; those that we gave tell whose an event is. */
function foreignIn(
  received: ReceivedEvent,
  session: Session,
  owners: ReadonlyMap<string, Owners>,
): readonly [string, ReceivedEvent] | undefined {
  const names = [textAt(received.event, 'request_event_id'), itemIdIn(received)]
  if (received.type === 'session.updated') names.push(textAt(received.event, 'event_id'))
  for (const name of names) {
    const owner = name === undefined ? undefined : owners.get(name)
    if (name === undefined || owner === undefined || owner.session === session || owner.place.line > received.line)
      continue
    const mentioned = session.sent.some(({ event, line }) => event['item_id'] === name && line < received.line)
    if (!mentioned) return [name, owner.place]
  }
  return undefined
}

/** Connections of sessions that heard something, by when they were opened. */
interface Calendar {
  readonly connections: readonly Connection[]
  /** Until when one of those up to each place lasted. */
  readonly lasted: readonly number[]
}

function calendarOf(sessions: readonly Session[]): Calendar {
  const heard = sessions.filter(({ received }) => received.length > 0).flatMap(({ connections }) => connections)
  const connections = heard.toSorted((one, other) => one.opened.t - other.opened.t)
  let last = Number.NEGATIVE_INFINITY
  return { connections, lasted: connections.map(({ until }) => (last = Math.max(last, until.t))) }
}

/** Another session was connected at the same time. */
function overlaps(session: Session, { connections, lasted }: Calendar): boolean {
  return session.connections.some(({ opened, until }) => {
    let place = firstPlace(connections, (one) => one.opened.t >= until.t) - 1
    for (; (lasted[place] ?? Number.NEGATIVE_INFINITY) > opened.t; place -= 1) {
      const one = connections[place]
      if (one !== undefined && one.session !== session && one.until.t > opened.t) return true
    }
    return false
  })
}
