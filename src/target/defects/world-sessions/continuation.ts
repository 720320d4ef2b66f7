import { change, put } from '#target/overrides/changes'
import { around, remembering, set } from '#target/overrides/operators'
import { textOf, objectAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { looks, onGot, onMade } from '../tools/world-sessions.ts'

export const continuationDefects = defectsOf('world-sessions.continuation', {
  'start-mode-default: A session starts on its own unless told otherwise.': set(
    'world.create.startMode',
    (asked) => textOf(asked['start_mode']) ?? 'automatic',
  ),
  'start-mode-default~idle-sent: A continuation with max_idle_ms alone starts automatically.': set(
    'world.create.startMode',
    (continuation) =>
      textOf(continuation['start_mode']) ?? (continuation['max_idle_ms'] === undefined ? 'manual' : 'automatic'),
  ),
  'start-mode-default~idle-given: A continuation that only names its idle time is automatic.': around(
    'world.create.startMode',
    (startMode) => (continuation) =>
      'max_idle_ms' in continuation && !('start_mode' in continuation) ? 'automatic' : startMode(continuation),
  ),
  'start-mode-in-set: The start mode is shown by its effect.': onMade(
    change('continuation.start_mode', (mode) => (mode === 'manual' ? 'held' : mode)),
  ),
  'start-mode-effective: Whoever asks for a manual start gets an automatic one.': around(
    'world.create.startMode',
    (startMode) => (asked) => (asked['start_mode'] === 'manual' ? 'automatic' : startMode(asked)),
  ),
  'manual-stays-held: A manual session runs from the second look on.': remembering(() => {
    const look = looks()
    return onGot((data) => {
      const manual = objectAt(data, 'continuation')['start_mode'] === 'manual' && data['status'] === 'active'
      return manual && look(data) > 1 ? put('runtime.media_status', 'running')(data) : data
    })
  }),
  'manual-stays-held~called: An automatic session is called manual, and runs.': onMade(
    put('continuation.start_mode', 'manual'),
  ),
  'manual-starts-held: A manual session starts to run.': set('world.runtime.whenReady', () => 'running'),
  'manual-starts-held~connecting: A manual session is connecting until somebody comes.': around(
    'world.runtime.whenReady',
    (whenReady) => (mode) => (mode === 'manual' ? 'connecting' : whenReady(mode)),
  ),
  'automatic-generates: An automatic session is held at first.': set('world.runtime.whenReady', () => 'held'),
  'max-idle-integer: The idle time comes back with a unit.': onMade(
    change('continuation.max_idle_ms', (ms) => `${String(ms)}ms`),
  ),
  'max-idle-integer~seconds: The idle time comes back in parts of milliseconds.': onMade(
    change('continuation.max_idle_ms', (ms) => Number(ms) - 0.5),
  ),
  'max-idle-not-raised: No idle time is below two minutes.': around(
    'world.create.maxIdleMs',
    (maxIdleMs) =>
      (asked, ...rest) =>
        Math.max(120_000, maxIdleMs(asked, ...rest)),
  ),
  'max-idle-not-raised~rounded: The idle time is rounded up to whole minutes, and one more.': around(
    'world.create.maxIdleMs',
    (maxIdleMs) =>
      (asked, ...rest) =>
        Math.floor(maxIdleMs(asked, ...rest) / 60_000 + 1) * 60_000,
  ),
  'idle-enters-held: Generation goes on whatever the idle time.': set('world.runtime.idleMs', () => 2 ** 31),
  'idle-enters-held~tenfold: Generation goes on for ten times the idle time that is shown.': set(
    'world.runtime.idleMs',
    ({ maxIdleMs }) => maxIdleMs * 10,
  ),
})
