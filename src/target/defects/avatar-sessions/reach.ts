import { defectsOf } from '../table.ts'

const idempotencyDefects = defectsOf('avatar-sessions', {
  'idempotency.retry-same-session': [
    'A key is forgotten when its create is answered.',
    ({ idempotency }) => void (idempotency.returns = () => false),
  ],
  'idempotency.concurrent-one-session': [
    'A key counts only when its create is done.',
    ({ idempotency, create }) => {
      idempotency.joinsInFlight = false
      create.allocationMs = 120
    },
  ],
  'idempotency.after-429-one-session': [
    'A create over the limit is made, and made again on retry.',
    ({ rate, idempotency }) => {
      rate.actsAnyway = (operation) => operation.startsWith('create')
      idempotency.honoured = false
    },
  ],
  'idempotency.after-5xx-one-session': [
    'A create that fails after its allocation is made again on retry.',
    ({ create }) => {
      create.weather = (count) => (count % 2 === 0 ? 'after' : undefined)
    },
  ],
  'idempotency.after-timeout-one-session': [
    'A create whose caller went away is made again on retry.',
    ({ create, idempotency }) => {
      create.allocationMs = 400
      idempotency.joinsInFlight = false
      idempotency.abandoned = 'forget'
    },
  ],
  'idempotency.other-key-other-session': [
    'Keys count without their last character, while the session is active.',
    ({ idempotency }) => {
      idempotency.scope = (account, key) => `${account.workspace}\n${key.slice(0, -1)}`
      idempotency.returns = (status) => status === 'active'
    },
  ],
  'idempotency.without-key-new-session': [
    'A create without key repeats the last one.',
    ({ idempotency }) => void (idempotency.keyless = 'none'),
  ],
  'idempotency.scoped-to-workspace': [
    'Keys are shared by all workspaces.',
    ({ idempotency }) => void (idempotency.scope = (_account, key) => key),
  ],
})

const seenDefects = defectsOf('avatar-sessions', {
  'get.own-session-found': [
    'Get knows no session younger than a second.',
    ({ access }) => {
      access.seesSession = (session, operation) => !operation.startsWith('get') || Date.now() - session.createdAt > 1000
    },
  ],
  'get.same-workspace-key': [
    'Only the key that created a session may get it.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) =>
        sees(account, owner, operation) && (!operation.startsWith('get') || account.secret === owner.secret)
    },
  ],
  'get.other-workspace-rejected': [
    'Any key may get any session.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) => operation.startsWith('get') || sees(account, owner, operation)
    },
  ],
  'get.unknown-session-rejected': [
    'Get of an unknown session shows an empty one.',
    ({ access }) => void (access.getsUnknown = true),
  ],
  'list.accepted': [
    'List is refused.',
    ({ access }) => void (access.turnsAway = (operation) => (operation.startsWith('list') ? '10009' : undefined)),
  ],
  'list.shows-open-sessions': [
    'List leaves out every other session.',
    (b) => {
      const { list } = b.views
      b.views.list = (items) => list(items.filter((_item, index) => index % 2 === 0))
    },
  ],
  'list.shows-open-sessions~text': [
    'List shows video sessions only.',
    ({ views }) => {
      const { lists } = views
      views.lists = (session) => lists(session) && session.state.mode === 'video_avatar'
    },
  ],
  'list.shows-sessions-of-other-keys': [
    'List shows what the key itself created.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) =>
        sees(account, owner, operation) && (!operation.startsWith('list') || account.secret === owner.secret)
    },
  ],
  'list.hides-other-workspaces': [
    'List shows the sessions of all workspaces.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) => operation.startsWith('list') || sees(account, owner, operation)
    },
  ],
  'list.hides-closed-sessions': ['List shows closed sessions.', ({ views }) => void (views.lists = () => true)],
  'list.each-once': [
    'List shows every session twice.',
    ({ views }) => {
      const { list } = views
      views.list = (items) => list([...items, ...items])
    },
  ],
  'list.shows-sessions-that-hold-quota': [
    'List hides sessions without a connection.',
    ({ views }) => {
      const { lists } = views
      views.lists = (session) => lists(session) && (session.connections.size > 0 || session.account.name !== 'capped')
    },
  ],
})

export const reachDefects = [...idempotencyDefects, ...seenDefects]
