import { memory } from '#target/overrides/memory'
import { admitsAfterExpiry } from '#target/overrides/admission'
import { around, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { unshown } from '../tools/unshown.ts'

export const expiryDefects = defectsOf('avatar-sessions.expiry', {
  'max-duration-ends-session: A session outlives its duration.': [
    set('lifecycle.closesBy.expiry', false),
    admitsAfterExpiry,
  ],
  'max-duration-ends-session~unshown: A session outlives its duration, and Get tells no status.': [
    set('lifecycle.closesBy.expiry', false),
    admitsAfterExpiry,
    ...unshown,
  ],
  'expires-at-ends-session: A session ends a minute after its expiry.': [
    set('lifecycle.expiryMs', (seconds) => seconds * 1000 + 60_000),
    admitsAfterExpiry,
    set('views.created.expires_at', ({ expiresAt }) => new Date(expiresAt - 60_000).toISOString()),
  ],
  'expires-at-ends-session~second-connection: The second connection of a session stops its expiry.': around(
    'channel.onConnect',
    (onConnect) => {
      const opened = memory(() => ({ count: 0 }))
      return (session) => {
        opened(session).count += 1
        if (opened(session).count === 2) session.clocks.expiry?.cancel()
        onConnect(session)
      }
    },
  ),
  'expires-at-ends-session~prolonged: Every accepted event starts the lifetime of the session anew.': [
    set('lifecycle.prolongs', (stimulus) => stimulus === 'accepted'),
    admitsAfterExpiry,
  ],
  'expires-at-within-max-duration: The expiry shown is an hour late.': set(
    'views.created.expires_at',
    ({ expiresAt }) => new Date(expiresAt + 3_600_000).toISOString(),
  ),
  'expires-at-within-max-duration~undated: The expiry shown is an hour late, and no answer has a date.': [
    set('http.dated', false),
    set('views.created.expires_at', ({ expiresAt }) => new Date(expiresAt + 3_600_000).toISOString()),
  ],
})
