import { change, omit, put } from '#target/overrides/changes'
import { remembering } from '#target/overrides/operators'
import { isWire } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { looks, onGot, onMade, onShown } from '../tools/world-sessions.ts'

export const runtimeDefects = defectsOf('world-sessions.runtime', {
  'object: The runtime is shown by its media status.': onMade(
    change('runtime', (runtime) => (isWire(runtime) ? runtime['media_status'] : runtime)),
  ),
  'object~missing: A create shows no runtime.': onMade(omit('runtime')),
  'media-status-in-set: A held session is paused.': onShown(
    change('runtime.media_status', (status) => (status === 'held' ? 'paused' : status)),
  ),
  'media-status-in-set~closed: The media of a closed session have ended.': onGot(
    change('runtime.media_status', (status) => (status === 'disconnected' ? 'ended' : status)),
  ),
  'media-time-integer: The media time is told in seconds.': onShown(
    change('runtime.media_time_ms', (ms) => Number(ms) / 1000 + 0.25),
  ),
  'media-time-integer~negative: The media time of a fresh session is below zero.': onMade(
    put('runtime.media_time_ms', -1),
  ),
  'applied-event-id: The applied Event is told as a number.': onShown(put('runtime.applied_world_event_id', 0)),
  'pending-event-id: The pending Event is told as an object.': onShown(put('runtime.pending_world_event_id', {})),
  'media-time-never-falls: The media time runs backwards.': remembering(() => {
    const look = looks()
    return onGot((data) => put('runtime.media_time_ms', Math.max(0, 90_000 - look(data)))(data))
  }),
})
