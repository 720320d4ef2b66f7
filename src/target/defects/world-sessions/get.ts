import { isWire, wireAt } from '#target/wire'
import { change, drop, put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { later, looks, onGot, onMade, onSecrets, reachedBy, seconds } from './tools.ts'

const GET = 'get-world-session'

const reachDefects = defectsOf('world-sessions', {
  'get.own-session-found': [
    'Get knows no session younger than ten seconds.',
    ({ world: { reach } }) => {
      reach.finds = (session, operation) => operation !== GET || Date.now() - session.createdAt > 10_000
    },
  ],
  'get.names-session': [
    'Get names the session by its kind.',
    (b) =>
      onGot(
        b,
        change('session_id', (id) => `world/${String(id)}`),
      ),
  ],
  'get.names-session~nested': [
    'Get puts the session below a name.',
    (b) => onGot(b, ({ session_id: id, ...rest }) => ({ session: { session_id: id }, ...rest })),
  ],
  'get.same-workspace-key': [
    'Only the key that created a session may get it.',
    (b) => reachedBy(b, GET, (account, owner) => account.secret === owner.secret),
  ],
  'get.other-workspace-rejected': ['Any key may get any session.', (b) => reachedBy(b, GET, () => true)],
  'get.unknown-session-rejected': [
    'Get of an unknown session shows a closed one.',
    ({ world: { reach } }) => void (reach.trusts = (operation) => operation === GET),
  ],
})

/** The same mistakes in either descriptor. */
const descriptorDefects = (['control', 'media'] as const).flatMap((channel) =>
  defectsOf('world-sessions', {
    [`get.${channel}-url`]: [
      `Get shows no address of the ${channel} channel.`,
      (b) => onGot(b, drop(`${channel}.url`)),
    ],
    [`get.${channel}-url-kept`]: [
      `Get shows an address of the ${channel} channel that nobody was given.`,
      (b) =>
        onGot(
          b,
          change(`${channel}.url`, (url) => String(url).replace(/\/(control|media)\?/u, '/gate/$1?')),
        ),
    ],
    [`get.${channel}-expires-at`]: [
      `Get shows the expiry of the ${channel} secret in seconds.`,
      (b) => onGot(b, seconds(`${channel}.expires_at`)),
    ],
    [`get.${channel}-expires-at-kept`]: [
      `Get shows a sooner expiry of the ${channel} secret with every look.`,
      (b) => {
        const look = looks()
        onGot(b, (data) => later(`${channel}.expires_at`, -60_000 * look(data))(data))
      },
    ],
  }),
)

const stateDefects = defectsOf('world-sessions', {
  'get.runtime': ['Get shows no media time.', (b) => onGot(b, drop('runtime.media_time_ms'))],
  'get.runtime~status': ['Get shows no media status.', (b) => onGot(b, drop('runtime.media_status'))],
  'get.last-sequence': ['Get shows no sequence.', (b) => onGot(b, drop('last_sequence'))],
  'get.last-sequence~negative': ['The sequence of a new session is -1.', (b) => onGot(b, put('last_sequence', -1))],
  'get.last-sequence-never-falls': [
    'The sequence starts again with every second look.',
    (b) => {
      const look = looks()
      onGot(b, (data) => put('last_sequence', 5 - (look(data) % 2))(data))
    },
  ],
  'get.usage-video': ['Get does not count video.', (b) => onGot(b, drop('usage.generated_video_ms'))],
  'get.usage-video~seconds': [
    'Get counts video with its unit.',
    (b) =>
      onGot(
        b,
        change('usage.generated_video_ms', (ms) => `${String(ms)} ms`),
      ),
  ],
  'get.usage-audio': ['Get does not count audio.', (b) => onGot(b, drop('usage.generated_audio_ms'))],
  'get.usage-never-falls': [
    'Usage is what is left of an hour.',
    (b) => {
      const look = looks()
      onGot(b, (data) => put('usage.generated_audio_ms', 3_600_000 - look(data))(data))
    },
  ],
  'get.capabilities': [
    'Get shows the names of capabilities alone.',
    (b) =>
      onGot(
        b,
        change('capabilities', (all) => Object.keys(Object(all))),
      ),
  ],
  'get.capabilities~limits': ['Get shows capabilities without limits.', (b) => onGot(b, drop('capabilities.limits'))],
})

const keptDefects = defectsOf('world-sessions', {
  'get.same-model': ['Get shows the family of the model.', (b) => onGot(b, replace('model', 'svc-w1'))],
  'get.same-output': ['Get shows another frame rate.', (b) => onGot(b, put('output.fps', 30))],
  'get.same-output~default': ['Get shows the default ratio.', (b) => onGot(b, replace('output.aspect_ratio', '16:9'))],
  'get.same-live-input': ['Get shows another language.', (b) => onGot(b, put('live_input.audio.language', 'und'))],
  'get.same-continuation': [
    'Get shows half the idle time.',
    (b) =>
      onGot(
        b,
        change('continuation.max_idle_ms', (ms) => Math.floor(Number(ms) / 2)),
      ),
  ],
  'get.same-references': ['Get shows no references.', (b) => onGot(b, put('references', []))],
  'get.same-metadata': ['Get shows no metadata.', (b) => onGot(b, put('metadata', {}))],
  'get.same-metadata~trimmed': [
    'Get shows values of metadata up to their third letter.',
    (b) =>
      onGot(
        b,
        change('metadata', (map) =>
          isWire(map)
            ? Object.fromEntries(Object.entries(map).map(([key, text]) => [key, String(text).slice(0, 3)]))
            : map,
        ),
      ),
  ],
  'get.same-capabilities': [
    'Get offers references at run time.',
    (b) =>
      onGot(
        b,
        change('capabilities.runtime_references', (on) => on !== true),
      ),
  ],
  'get.same-capabilities~limits': [
    'Get shows how many references are left.',
    (b) =>
      onGot(b, (data) => {
        const used = Array.isArray(data['references']) ? data['references'].length : 0
        return change('capabilities.limits.max_references', (most) => Number(most) - 1 - used)(data)
      }),
  ],
  'get.same-created-at': [
    'Get shows when it was asked as creation.',
    (b) => onGot(b, (data) => ({ ...data, created_at: new Date(Date.now() + 1000).toISOString() })),
  ],
  'get.same-expires-at': [
    'Get shows an expiry that moves on.',
    (b) => onGot(b, (data) => ({ ...data, expires_at: new Date(Date.now() + 1_800_000).toISOString() })),
  ],
  'get.same-expires-at~refreshed': [
    'Fresh descriptors make a session last longer.',
    (b) => {
      const fresh = new Set<unknown>()
      onSecrets(b, (data) => {
        fresh.add(data['session_id'])
        return data
      })
      onGot(b, (data) => (fresh.has(data['session_id']) ? later('expires_at', 600_000)(data) : data))
    },
  ],
  'get.same-expires-at~credentials': [
    'Get shows the expiry of the control secret as that of the session.',
    (b) => onGot(b, (data) => ({ ...data, expires_at: wireAt(data, 'control')['expires_at'] })),
  ],
})

/** What a create shows and Get does not bear out. */
const firstAnswerDefects = defectsOf('world-sessions', {
  'get.same-output~created': [
    'A create shows captions that the session does not have.',
    (b) =>
      onMade(
        b,
        change('output.captions', (on) => on !== true),
      ),
  ],
})

export const worldGetDefects = [
  ...reachDefects,
  ...descriptorDefects,
  ...stateDefects,
  ...keptDefects,
  ...firstAnswerDefects,
]
