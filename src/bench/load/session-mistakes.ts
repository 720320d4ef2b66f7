import type { Override } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'
import { everyNth, everyNthOf } from '#target/variations/every-nth'
import type { Mistakes } from './resource-mistakes.ts'

/** Of so many things, one is wrong. */
const NTH = 3

/** What a session says from its second connection on. */
function onSecond(change: (event: JsonObject, session: Session) => JsonObject[]): Override {
  return ({ outgoing }) => {
    outgoing.push((event, session) => (session.lastClose === undefined ? [event] : change(event, session)))
  }
}

/** Capacity lacks for every second key that comes for the first time. */
function lacking(behaviour: Parameters<Override>[0], lacks = everyNth(2, 0)): void {
  behaviour.quota.capacity = () => (lacks() ? '30008' : undefined)
}

const of = (event: JsonObject, type: string): boolean => event['type'] === type

/** Since when a session has been closed, in milliseconds. */
const closedFor = ({ past }: Session): number => {
  const last = past.at(-1)
  return last?.status === 'closed' ? Date.now() - last.since : 0
}

/** Mistakes of a service whose sessions last. */
export const soakMistakes: Mistakes = {
  'a closed session is active again after two seconds':
    () =>
    ({ views }) => {
      const right = views.got['status']
      views.got['status'] = (session, control) => (closedFor(session) > 2_000 ? 'active' : right?.(session, control))
    },
  'one of three closed sessions lets its old secret in': () => {
    const isTurn = everyNthOf(NTH, 0)
    return ({ channel }) => {
      const right = channel.admission['session-closed']
      channel.admission['session-closed'] = (attempt) =>
        right(attempt) && (attempt.session === undefined || !isTurn(attempt.session))
    }
  },
  'one of three sessions never becomes closed': () => {
    const isTurn = everyNthOf(NTH, 0)
    return ({ views }) => {
      const right = views.got['status']
      views.got['status'] = (session, control) =>
        session.status === 'closed' && isTurn(session) ? 'closing' : right?.(session, control)
    }
  },
  'one of three closes changes nothing': () => {
    const isTurn = everyNth(NTH, 0)
    return ({ lifecycle }) => (lifecycle.closable = (status) => status === 'active' && !isTurn())
  },
  'a session that is held shows as closed':
    () =>
    ({ views }) => {
      const right = views.got['status']
      views.got['status'] = (session, control) => (session.status === 'active' ? 'closed' : right?.(session, control))
    },
  'Get Session shows the session before now and then': () => {
    const isTurn = everyNth(NTH, 0)
    let before: unknown
    return ({ views }) => {
      const right = views.got['session_id']
      views.got['session_id'] = (session, control) => {
        const own = right?.(session, control)
        const shown = isTurn() && before !== undefined ? before : own
        before = own
        return shown
      }
    }
  },
  'ends of updates are told again on a new connection': () => {
    const ends = new WeakMap<Session, JsonObject>()
    return ({ outgoing, extras }) => {
      outgoing.push((event, session) => {
        if (of(event, 'session.update.done')) ends.set(session, event)
        return [event]
      })
      extras.greeting = (session) => {
        const end = ends.get(session)
        return end === undefined ? [] : [end]
      }
    }
  },
  'a second connection hears every event twice': () => onSecond((event) => [event, event]),
  'a second connection hears no end of its responses': () =>
    onSecond((event) => (of(event, 'response.done') ? [] : [event])),
  'a second connection is never told that an update has ended': () =>
    onSecond((event) => (of(event, 'session.update.done') ? [] : [event])),
  'a second connection loses the end of its texts': () =>
    onSecond((event) =>
      of(event, 'response.output_text.delta') ? [{ ...event, delta: String(event['delta']).slice(0, -1) }] : [event],
    ),
  'a second connection is told of the avatar that the first one had': () => {
    const first = new WeakMap<Session, JsonObject[string]>()
    return ({ outgoing }) => {
      outgoing.push((event, session) => {
        if (!of(event, 'session.updated')) return [event]
        const shown = event['session'] as JsonObject
        if (session.lastClose === undefined) first.set(session, shown['active_avatar_id'])
        return session.lastClose === undefined
          ? [event]
          : [{ ...event, session: { ...shown, active_avatar_id: first.get(session) ?? 'ada' } }]
      })
    }
  },
  'sessions hear what the one before them is told':
    () =>
    ({ channel }) => {
      channel.listeners = (session, all) => {
        const every = [...all]
        const next = every[every.indexOf(session) + 1]
        return next === undefined ? [session] : [session, next]
      }
    },
  'one of three sessions takes no second connection': () => {
    const isTurn = everyNthOf(NTH, 0)
    return ({ channel }) => {
      const right = channel.admission['token-wrong']
      channel.admission['token-wrong'] = (attempt) =>
        right(attempt) ||
        (attempt.session !== undefined && attempt.session.lastClose !== undefined && isTurn(attempt.session))
    }
  },
  'after two responses a session says no more on its second connection':
    () =>
    ({ outgoing }) => {
      outgoing.push((event, session) =>
        session.responses > 2 && String(event['type']).startsWith('response.') && session.lastClose !== undefined
          ? []
          : [event],
      )
    },
}

/** Mistakes of a service whose platform lacks capacity at times. */
export const capacityMistakes: Mistakes = {
  'a refusal for want of capacity comes under 503 now and then': () => (behaviour) => {
    lacking(behaviour)
    behaviour.http.statuses['30008'] = 503
  },
  'a refusal for want of capacity tells when to come back': () => (behaviour) => {
    lacking(behaviour)
    const { retryAfter } = behaviour.http
    behaviour.http.retryAfter = (code, ...rest) => (code === '30008' ? '1' : retryAfter(code, ...rest))
  },
  'a key that was refused for want of capacity stays refused': () => (behaviour) => {
    lacking(behaviour)
    behaviour.idempotency.remembersFailure = (code) => code === '30008'
  },
  'a refusal for want of capacity makes a session': () => (behaviour) => {
    lacking(behaviour)
    behaviour.create.makesRefused = (code) => code === '30008'
  },
  'after a refusal for want of capacity a key makes a session each time': () => (behaviour) => {
    lacking(behaviour)
    behaviour.idempotency.joinsInFlight = false
    behaviour.idempotency.returns = () => false
  },
  'creates that are refused for want of capacity are called wrong the next time': () => (behaviour) => {
    let count = 0
    behaviour.quota.capacity = () => {
      count += 1
      return count % 3 === 1 ? '30008' : count % 3 === 2 ? '30004' : undefined
    }
  },
}

/** Platforms that lack capacity and do nothing wrong, with the variations that they take besides. */
export const capacityKinds: { readonly [kind: string]: { lacks: () => Override; variations: readonly string[] } } = {
  'for every second key': { lacks: () => (behaviour) => lacking(behaviour), variations: [] },
  'for two of three creates, in no order': {
    lacks: () => (behaviour) => lacking(behaviour, () => Math.random() < 2 / 3),
    variations: ['allocation-slow'],
  },
  'for three seconds, then no more': {
    lacks: () => (behaviour) => {
      let until = 0
      lacking(behaviour, () => {
        until ||= Date.now() + 3_000
        return Date.now() < until
      })
    },
    variations: ['get-without-status', 'list-ids'],
  },
  'and creates fail at times': {
    lacks: () => (behaviour) => lacking(behaviour, everyNth(4, 0)),
    variations: ['creates-fail-at-times', 'cleanup-slow'],
  },
  'while another create is carried out': {
    lacks: () => () => undefined,
    variations: ['capacity-lacks-beside-another-create'],
  },
  'and lists are behind': {
    lacks: () => (behaviour) => lacking(behaviour, everyNth(3, 0)),
    variations: ['sessions-listed-late', 'list-paged', 'places-freed-late'],
  },
}
