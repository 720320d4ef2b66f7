import { change, put } from '#target/overrides/changes'
import { around, set } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { onMade, onShown, seconds } from '../tools/world-sessions.ts'

const HOUR_MS = 3_600_000
/** So much after 1970 a clock begins that was never set. */
const DECADES_MS = 20 * 365 * 24 * HOUR_MS

export const sessionDefects = defectsOf('world-sessions.session', {
  'id-nonempty: A session id is a number.': [
    set('world.ids.session', (random) => String(100_000_000 + random.below(800_000_000))),
    onMade(change('session_id', Number)),
  ],
  'id-nonempty~empty: A session has no id.': onMade(put('session_id', '')),
  'id-unique: All sessions of a workspace have one id.': set('world.ids.session', () => 'ws_0001'),
  'model-echoed: The model comes back with its build.': onMade(change('model', (model) => `${String(model)}-0917`)),
  'created-at-timestamp: The creation is told in seconds.': onMade(seconds('created_at')),
  'created-at-timestamp~no-zone: The creation is told without a zone.': onShown(
    change('created_at', (value) =>
      String(value)
        .replace(/\.\d+Z$/u, '')
        .replace('T', ' '),
    ),
  ),
  'expires-at-timestamp: The expiry is told in words.': onMade(put('expires_at', 'in an hour')),
  'expires-at-in-future: The expiry is the moment of the creation.': onMade((data) => ({
    ...data,
    expires_at: data['created_at'],
  })),
  'expires-at-in-future~long-ago: A session is dated by a clock that was never set.': onShown((data) => ({
    ...data,
    ...Object.fromEntries(
      ['created_at', 'expires_at'].map((name) => [
        name,
        new Date(Date.parse(String(data[name])) % DECADES_MS).toISOString(),
      ]),
    ),
  })),
  'expires-at-within-request: A session lasts an hour longer than asked.': set(
    'world.life.expiryMs',
    (asked) => asked * 1000 + HOUR_MS,
  ),
  'expires-at-within-request~minutes: The lifetime is taken for minutes.': set(
    'world.life.expiryMs',
    (asked) => asked * 60_000,
  ),
  'expires-at-within-request~automatic: A session that starts by itself lasts as long as any may.': around(
    'world.create.seconds',
    (lifetime) => (body, byDefault, highest) =>
      objectAt(body, 'continuation')['start_mode'] === 'automatic' ? highest : lifetime(body, byDefault, highest),
  ),
  'expires-at-within-request~default: The lifetime that was asked for is left aside.': set(
    'world.create.seconds',
    (_body, byDefault) => byDefault,
  ),
  'created-at-not-ahead: Times of sessions are those of another zone, and said to be UTC.': onShown((data) => ({
    ...data,
    ...Object.fromEntries(
      ['created_at', 'expires_at'].map((name) => [
        name,
        new Date(Date.parse(String(data[name])) + 2 * HOUR_MS).toISOString(),
      ]),
    ),
  })),
})
