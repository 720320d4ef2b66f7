import type { Behaviour } from '#target/behaviour/behaviour'
import type { WorldScene } from '#target/behaviour/world/views'
import { type Change, change, omit, put, replace } from '#target/overrides/changes'
import { around, remembering, set } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject, objectAt } from '#target/wire'
import type { WorldChannel, WorldStatus } from '#target/worlds/session'
import { defectsOf, type Rows } from '../tools/table.ts'
import { later, looks, onGot, onMade, onSecrets, reachedBy, seconds } from '../tools/world-sessions.ts'
import { showsHidden } from '../tools/refusals.ts'

const hasEnded = ({ session }: WorldScene): boolean => session.status === 'closing' || session.status === 'closed'

const isOver = (status: WorldStatus): boolean => status === 'closing' || status === 'closed'

const GET = 'get-world-session'

/** Descriptors that were last given out, by session. */
function given(behaviour: Behaviour): (data: JsonObject) => JsonObject {
  const known = new Map<unknown, JsonObject>()
  const keep: Change = (data) => {
    known.set(data['session_id'], data)
    return data
  }
  onMade(keep)(behaviour)
  onSecrets(keep)(behaviour)
  return (data) => known.get(data['session_id']) ?? {}
}

const secretOf = (data: JsonObject, channel: WorldChannel): string =>
  textOf(objectAt(data, channel)['client_secret']) ?? ''

/** The same mistakes in either descriptor. */
const ofChannel = (channel: WorldChannel): Rows => ({
  [`${channel}-url: Get shows no address of the ${channel} channel.`]: onGot(omit(`${channel}.url`)),
  [`${channel}-url-kept: Get shows an address of the ${channel} channel that nobody was given.`]: onGot(
    change(`${channel}.url`, (url) => String(url).replace(/\/(control|media)\?/u, '/gate/$1?')),
  ),
  [`${channel}-expires-at: Get shows the expiry of the ${channel} secret in seconds.`]: onGot(
    seconds(`${channel}.expires_at`),
  ),
  [`${channel}-expires-at-kept: Get shows a sooner expiry of the ${channel} secret with every look.`]: remembering(
    () => {
      const look = looks()
      return onGot((data) => later(`${channel}.expires_at`, -60_000 * look(data))(data))
    },
  ),
})

export const getDefects = defectsOf('world-sessions.get', {
  'same-live-input: Get shows another language.': onGot(put('live_input.audio.language', 'und')),
  'same-live-input~transcription-off: Get shows transcription true where false was sent.': around(
    'world.views.got.live_input',
    (shown) => (scene) => {
      const input = shown?.(scene)
      return isWire(input) ? { ...input, audio: { ...objectAt(input, 'audio'), transcription: true } } : input
    },
  ),
  'same-live-input~turned: A create shows the setting of transcription turned round.': onMade(
    change('live_input.audio.transcription', (on) => on !== true),
  ),
  'same-live-input~region: A create shows a language without its region.': onMade(
    change('live_input.audio.language', (tag) => textOf(tag)?.split('-')[0]),
  ),
  'control-url-kept~swapped: Get shows the url of control under media and the other way round.': ({
    world: { views },
  }) => {
    const { control, media } = views.got
    views.got['control'] = (scene) => ({ ...Object(control?.(scene)), url: Object(media?.(scene)).url })
    views.got['media'] = (scene) => ({ ...Object(media?.(scene)), url: Object(control?.(scene)).url })
  },
  'usage-video: Get does not count video.': onGot(omit('usage.generated_video_ms')),
  'usage-video~closed: Get of a closing or closed session has no usage.': around(
    'world.views.got.usage',
    (usage) => (scene) => (hasEnded(scene) ? undefined : usage?.(scene)),
  ),
  'runtime~closed: Get of a closing or closed session has no runtime.': around(
    'world.views.got.runtime',
    (runtime) => (scene) => (hasEnded(scene) ? undefined : runtime?.(scene)),
  ),
  'capabilities~closed: Get of a closing or closed session has no capabilities.': around(
    'world.views.got.capabilities',
    (capabilities) => (scene) => (hasEnded(scene) ? undefined : capabilities?.(scene)),
  ),
  'last-sequence~closed: Get of a closing or closed session has no sequence.': around(
    'world.views.got.last_sequence',
    (sequence) => (scene) => (hasEnded(scene) ? undefined : sequence?.(scene)),
  ),
  'same-metadata~closed: Get of a closing or closed session names its metadata in capital letters.': around(
    'world.views.got.metadata',
    (metadata) => (scene) => {
      const shown = metadata?.(scene)
      if (!hasEnded(scene) || !isWire(shown)) return shown
      return Object.fromEntries(Object.entries(shown).map(([name, text]) => [name.toUpperCase(), text]))
    },
  ),
  'usage-video~seconds: Get counts video with its unit.': onGot(
    change('usage.generated_video_ms', (ms) => `${String(ms)} ms`),
  ),
  'no-client-secret: Get returns the secret of the control channel.': (b) => {
    const known = given(b)
    onGot((data) => put('control.client_secret', secretOf(known(data), 'control'))(data))(b)
  },
  'no-client-secret~renewed: Get shows client_secret once fresh descriptors were made.': ({ world: { views } }) => {
    for (const channel of ['control', 'media'] as const) {
      const field = views.got[channel]
      views.got[channel] = (scene) => ({
        ...Object(field?.(scene)),
        ...(scene.session.issues.length > 1 ? { client_secret: scene.issue[channel].secret } : {}),
      })
    }
  },
  'no-client-secret~masked: Get returns a masked secret of the media channel.': onGot(
    put('media.client_secret', '***'),
  ),
  'no-client-secret~deep: Get returns the media secret in the depth of a list.': (b) => {
    const known = given(b)
    onGot((data) => put('media.routes', [{ region: 'eu', client_secret: secretOf(known(data), 'media') }])(data))(b)
  },
  'no-client-secret~after-refresh: Get returns secrets once fresh ones were made.': (b) => {
    const known = given(b)
    onGot((data) => {
      const last = known(data)
      return 'status' in last ? data : put('control.client_secret', secretOf(last, 'control'))(data)
    })(b)
  },
  'other-workspace-rejected~told: Get refuses a session of another workspace, and shows it.': showsHidden(GET),
  'other-workspace-rejected: Any key may get any session.': reachedBy(GET, () => true),
  'other-workspace-rejected~closed: Any key may get a session that was closed.': remembering(() => {
    let own = true
    return [
      around('access.sees', (sees) => (account, owner, operation) => {
        own = sees(account, owner, operation)
        return operation === 'get-world-session' || own
      }),
      set('world.reach.finds', ({ status }, operation) => operation !== 'get-world-session' || own || isOver(status)),
    ]
  }),
  'usage-never-falls: Usage is what is left of an hour.': remembering(() => {
    const look = looks()
    return onGot((data) => put('usage.generated_audio_ms', 3_600_000 - look(data))(data))
  }),
  'usage-never-falls~closed: The usage of a session that was closed is zero.': set(
    'world.views.got.usage',
    ({ session, usage }) => {
      const { video, audio } = isOver(session.status) ? { video: 0, audio: 0 } : usage
      return { generated_video_ms: video, generated_audio_ms: audio }
    },
  ),
  'no-secret-value: Get shows the control secret as token.': (b) => {
    const known = given(b)
    onGot((data) => put('control.token', secretOf(known(data), 'control'))(data))(b)
  },
  'no-secret-value~media-url-refreshed: Once fresh secrets were made, Get shows the address of the media channel with its token.':
    around('world.views.got.media', (media) => (scene) => {
      const shown = media?.(scene)
      const refreshed = isWire(shown) && scene.session.issues.length > 1
      return refreshed ? { ...shown, url: `${String(shown['url'])}&token=${scene.issue.media.secret}` } : shown
    }),
  'no-secret-value~url: Get shows the address of the control channel with its token.': (b) => {
    const known = given(b)
    onGot((data) => change('control.url', (url) => `${String(url)}&token=${secretOf(known(data), 'control')}`)(data))(b)
  },
  'no-secret-value~media-in-runtime: Get shows the media secret among the runtime.': (b) => {
    const known = given(b)
    onGot((data) => put('runtime.join_token', secretOf(known(data), 'media'))(data))(b)
  },
  'own-session-found: Get knows no session younger than ten seconds.': set(
    'world.reach.finds',
    (session, operation) => operation !== GET || Date.now() - session.createdAt > 10_000,
  ),
  'names-session: Get names the session by its kind.': onGot(change('session_id', (id) => `world/${String(id)}`)),
  'names-session~nested: Get puts the session below a name.': onGot(({ session_id: id, ...rest }) => ({
    session: { session_id: id },
    ...rest,
  })),
  'same-workspace-key: Only the key that created a session may get it.': reachedBy(
    GET,
    (account, owner) => account.secret === owner.secret,
  ),
  'unknown-session-rejected: Get of an unknown session shows a closed one.': set(
    'world.reach.trusts',
    (operation) => operation === GET,
  ),
  'runtime: Get shows no media time.': onGot(omit('runtime.media_time_ms')),
  'runtime~status: Get shows no media status.': onGot(omit('runtime.media_status')),
  'last-sequence: Get shows no sequence.': onGot(omit('last_sequence')),
  'last-sequence~negative: The sequence of a new session is -1.': onGot(put('last_sequence', -1)),
  'last-sequence-never-falls: The sequence starts again with every second look.': remembering(() => {
    const look = looks()
    return onGot((data) => put('last_sequence', 5 - (look(data) % 2))(data))
  }),
  'usage-audio: Get does not count audio.': onGot(omit('usage.generated_audio_ms')),
  'capabilities: Get shows the names of capabilities alone.': onGot(
    change('capabilities', (all) => Object.keys(Object(all))),
  ),
  'capabilities~limits: Get shows capabilities without limits.': onGot(omit('capabilities.limits')),
  'same-model: Get shows the family of the model.': onGot(replace('model', 'svc-w1')),
  'same-output: Get shows another frame rate.': onGot(put('output.fps', 30)),
  'same-output~default: Get shows the default ratio.': onGot(replace('output.aspect_ratio', '16:9')),
  'same-output~created: A create shows captions that the session does not have.': onMade(
    change('output.captions', (on) => on !== true),
  ),
  'same-continuation: Get shows half the idle time.': onGot(
    change('continuation.max_idle_ms', (ms) => Math.floor(Number(ms) / 2)),
  ),
  'same-references: Get shows no references.': onGot(put('references', [])),
  'same-metadata: Get shows no metadata.': onGot(put('metadata', {})),
  'same-metadata~trimmed: Get shows values of metadata up to their third letter.': onGot(
    change('metadata', (map) =>
      isWire(map) ? Object.fromEntries(Object.entries(map).map(([key, text]) => [key, String(text).slice(0, 3)])) : map,
    ),
  ),
  'same-capabilities: Get offers references at run time.': onGot(
    change('capabilities.runtime_references', (on) => on !== true),
  ),
  'same-capabilities~limits: Get shows how many references are left.': onGot((data) => {
    const used = Array.isArray(data['references']) ? data['references'].length : 0
    return change('capabilities.limits.max_references', (most) => Number(most) - 1 - used)(data)
  }),
  'same-created-at: Get shows when it was asked as creation.': onGot((data) => ({
    ...data,
    created_at: new Date(Date.now() + 1000).toISOString(),
  })),
  'same-expires-at: Get shows an expiry that moves on.': onGot((data) => ({
    ...data,
    expires_at: new Date(Date.now() + 1_800_000).toISOString(),
  })),
  'same-expires-at~refreshed: Fresh descriptors make a session last longer.': remembering(() => {
    const fresh = new Set<unknown>()
    return [
      onSecrets((data) => {
        fresh.add(data['session_id'])
        return data
      }),
      onGot((data) => (fresh.has(data['session_id']) ? later('expires_at', 600_000)(data) : data)),
    ]
  }),
  'same-expires-at~credentials: Get shows the expiry of the control secret as that of the session.': onGot((data) => ({
    ...data,
    expires_at: objectAt(data, 'control')['expires_at'],
  })),
  ...ofChannel('control'),
  ...ofChannel('media'),
  'usage-audio~none: Usage without audio names none.': onGot(
    change('usage.generated_audio_ms', (ms) => (ms === 0 ? undefined : ms)),
  ),
})
