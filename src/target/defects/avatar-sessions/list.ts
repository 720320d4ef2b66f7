import { onData } from '#target/overrides/data'
import { around, remembering, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { LITE } from '../tools/creates.ts'
import { isInVideo } from '../tools/modes.ts'
import { defectsOf } from '../tools/table.ts'

const unlessConnected = around('views.lists', (lists) => (session) => lists(session) && session.connections.size === 0)

export const listDefects = defectsOf('avatar-sessions.list', {
  'accepted: List is refused.': set('access.turnsAway', (operation) =>
    operation.startsWith('list') ? '10009' : undefined,
  ),
  'shows-open-sessions: List leaves out every other session.': around(
    'views.list',
    (list) => (items) => list(items.filter((_item, index) => index % 2 === 0)),
  ),
  'shows-open-sessions~text: List shows video sessions only.': around(
    'views.lists',
    (lists) => (session) => lists(session) && isInVideo(session),
  ),
  'shows-open-sessions~disconnected: An open session that had connections and has none now is not listed.': around(
    'views.lists',
    (lists) => (session) => lists(session) && !(session.everConnected && session.connections.size === 0),
  ),
  'shows-open-sessions~character: Sessions that were started from a character are not listed.': around(
    'views.lists',
    (lists) => (session) => session.plan.characterId === undefined && lists(session),
  ),
  'shows-open-sessions~orphan: A session whose character was deleted is not listed.': ({ characters, views }) => {
    const orphans = new Set<Session>()
    const { interrupts } = characters
    const { lists } = views
    characters.interrupts = (session) => {
      orphans.add(session)
      return interrupts(session)
    }
    views.lists = (session) => lists(session) && !orphans.has(session)
  },
  'shows-open-sessions~connected: List leaves out sessions to which somebody is connected.': unlessConnected,
  'shows-open-sessions~total: List, which tells how many there are, leaves out sessions to which somebody is connected.':
    several(
      set('views.list', (items) => ({ sessions: items, total: items.length })),
      unlessConnected,
    ),
  'shows-sessions-of-other-keys: List shows what the key itself created.': around(
    'access.sees',
    (sees) => (account, owner, operation) =>
      sees(account, owner, operation) && (!operation.startsWith('list') || account.secret === owner.secret),
  ),
  'hides-other-workspaces: List shows the sessions of all workspaces.': around(
    'access.sees',
    (sees) => (account, owner, operation) => operation.startsWith('list') || sees(account, owner, operation),
  ),
  'hides-other-workspaces~none: To a workspace without an active session List shows those of all.': remembering(() => {
    const made: Session[] = []
    return [
      around('views.created.session_id', (id) => (session, address) => {
        made.push(session)
        return id(session, address)
      }),
      around('views.list', (list) => (items) => {
        if (items.some(({ status }) => status === 'active')) return list(items)
        const all = made.filter(({ status }) => status === 'active')
        return list(all.map(({ id, status }) => ({ session_id: id, status })))
      }),
    ]
  }),
  'hides-other-workspaces~beside: List tells beside its sessions which ones another workspace opened.': remembering(
    () => {
      const theirs: unknown[] = []
      return [
        around('views.created.session_id', (id) => (session, address) => {
          if (session.account.workspace === 'second') theirs.push(session.id)
          return id(session, address)
        }),
        onData('list-avatar-sessions', (data) => ({ ...data, recent: theirs.map((session_id) => ({ session_id })) })),
      ]
    },
  ),
  'hides-closed-sessions: List shows closed sessions.': set('views.lists', () => true),
  'hides-closed-sessions~knock: A refused connection to a closed session makes it closing again.': around(
    'channel.admission.session-closed',
    (closed) => (attempt) => {
      if (attempt.session?.status === 'closed') attempt.session.status = 'closing'
      return closed(attempt)
    },
  ),
  'hides-closed-sessions~expired: List goes on showing sessions that have expired.': ({ views, lifecycle }) => {
    const { lists } = views
    views.lists = (session) => lists(session) || session.closeReason === lifecycle.reasons.expiry
  },
  'each-once: List shows every session twice.': around('views.list', (list) => (items) => list([...items, ...items])),
  'shows-sessions-that-hold-quota: List hides sessions without a connection.': around(
    'views.lists',
    (lists) => (session) => lists(session) && (session.connections.size > 0 || session.account.name !== 'capped'),
  ),
  'shows-open-sessions~lite: Sessions of the lightweight model are not listed.': around(
    'views.lists',
    (lists) => (session) => lists(session) && session.plan.model !== LITE,
  ),
  'shows-open-sessions~rtc-b: Video sessions over `rtc_b` are not listed.': around(
    'views.lists',
    (lists) => (session) =>
      lists(session) && !(session.plan.output !== undefined && session.plan.transport === 'rtc_b'),
  ),
  'shows-open-sessions~started: Sessions from characters are not listed.': around(
    'views.lists',
    (lists) => (session) => lists(session) && session.plan.characterId === undefined,
  ),
  'shows-open-sessions~video-only: Video sessions are not listed.': around(
    'views.lists',
    (lists) => (session) => lists(session) && session.plan.state.mode === 'text_chat',
  ),
})
