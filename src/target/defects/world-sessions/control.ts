import type { Override } from '#target/behaviour/behaviour'
import { change } from '#target/overrides/changes'
import { around, set } from '#target/overrides/operators'
import type { Issue, WorldSession } from '#target/worlds/session'
import { defectsOf } from '../tools/table.ts'
import { madeChannel, onMade } from '../tools/world-sessions.ts'

const sharedSecrets: Override = around('world.reach.secretRefusal', (secretRefusal) => {
  const first = new Map<string, WorldSession>()
  return (session, key) => {
    if (key !== undefined) {
      const scoped = `${session.account.workspace}\n${key}`
      const known = first.get(scoped) ?? session
      first.set(scoped, known)
      const issue = known.issuesByKey.get(key)
      if (known !== session && issue !== undefined) session.issuesByKey.set(key, issue)
    }
    return secretRefusal(session, key)
  }
})

export const controlDefects = defectsOf('world-sessions.control', {
  'secret-session-scoped~key-of-another: A key of Create Client Secret that another session used gives the secrets of that one.':
    sharedSecrets,
  'secret-session-scoped~same-key: Fresh secrets that are asked for with a key of another session are those of that session.':
    around('world.reach.secretRefusal', (secretRefusal) => {
      const users = new Map<string, WorldSession>()
      return (session, key) => {
        const user = key === undefined ? undefined : users.get(key)
        const issue: Issue | undefined = user?.issuesByKey.get(key ?? '')
        if (key !== undefined && issue !== undefined) session.issuesByKey.set(key, issue)
        if (key !== undefined && user === undefined) users.set(key, session)
        return secretRefusal(session, key)
      }
    }),
  'secret-session-scoped~pairs: The secrets of a session come back with the next one.': around(
    'world.ids.secret',
    (secret) => {
      let [kept, count] = ['', 0]
      return (random, account, of) => {
        if (of !== 'control') return secret(random, account, of)
        count += 1
        if (count % 2 === 1) kept = secret(random, account, of)
        return kept
      }
    },
  ),
  'expires-at-in-future~undated: A secret is stale by a minute and a half when it comes, and no answer has a date.': [
    set('http.dated', false),
    set('world.life.secretExpiry', (now) => now - 90_000),
  ],
  'url-path: The control channel has a path below the session.': set(
    'world.channel.paths.control',
    '/v1/streaming-world/sessions/control',
  ),
  'url-path~plural: The address of the control channel has a letter too many.': onMade(
    change('control.url', (url) => String(url).replace('/control?', '/controls?')),
  ),
  ...madeChannel('control'),
})
