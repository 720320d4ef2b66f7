import { sameJson } from '#target/behaviour/world/idempotency'
import { Refusal } from '#target/refusal'
import { isWire, type Wire, without } from '#target/wire'
import type { Issue, WorldSession } from '#target/worlds/session'
import { defectsOf } from '../table.ts'

const bodyOf = (text: string): Wire => {
  const body: unknown = JSON.parse(text)
  return isWire(body) ? body : {}
}

const comparedBy = (make: (body: Wire) => Wire) => (first: string, again: string) =>
  sameJson(make(bodyOf(first)), make(bodyOf(again)))

const createKeys = defectsOf('world-sessions', {
  'idempotency.other-nested-value-conflict~metadata': [
    'Metadata do not count for a conflict.',
    ({ world }) => void (world.idempotency.sameBody = comparedBy((body) => without(body, 'metadata'))),
  ],
  'idempotency.scoped-to-workspace~conflict': [
    'A key that another workspace has used is refused as a conflict.',
    ({ world }) => {
      const owners = new Map<string, string>()
      const { scope } = world.idempotency
      world.idempotency.scope = (account, key) => {
        const owner = owners.get(key) ?? account.workspace
        owners.set(key, owner)
        if (owner !== account.workspace) throw new Refusal('30004', 'idempotency conflict')
        return scope(account, key)
      }
    },
  ],
  'idempotency.other-key-other-session~case': [
    'Keys that differ in case only are the same key.',
    ({ world }) => {
      const { scope } = world.idempotency
      world.idempotency.scope = (account, key) => scope(account, key.toLowerCase())
      world.idempotency.sameBody = comparedBy((body) => without(body, 'idempotency_key'))
    },
  ],
})

const sessionKeys = defectsOf('world-sessions', {
  'control.secret-session-scoped~same-key': [
    'Fresh secrets that are asked for with a key of another session are those of that session.',
    ({ world: { reach } }) => {
      const users = new Map<string, WorldSession>()
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) => {
        const user = key === undefined ? undefined : users.get(key)
        const issue: Issue | undefined = user?.issuesByKey.get(key ?? '')
        if (key !== undefined && issue !== undefined) session.issuesByKey.set(key, issue)
        if (key !== undefined && user === undefined) users.set(key, session)
        return secretRefusal(session, key)
      }
    },
  ],
  'close.leaves-active~key-of-another': [
    'A close with the key of another session’s close is answered, and not carried out.',
    ({ world: { reach, life, views } }) => {
      const users = new Map<string, string>()
      let known = false
      const { closeRefusal } = reach
      reach.closeRefusal = (session, key) => {
        known = key !== undefined && (users.get(key) ?? session.id) !== session.id
        if (key !== undefined && !known) users.set(key, session.id)
        return closeRefusal(session, key)
      }
      life.closesBy = (cause) => cause === 'expiry' || !known
      views.closed['status'] = ({ session }) => (session.status === 'active' ? 'closing' : session.status)
    },
  ],
})

/** 4.5: what a key stands for, at creates and within a session. */
export const subtleWorldKeyDefects = [...createKeys, ...sessionKeys]
