import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { given, later, looks, onGot, onMade, onShown, seconds, secretsAsKeys, secretOf } from './tools.ts'

const HOUR_MS = 3_600_000

const sessionDefects = defectsOf('world-sessions', {
  'session.id-nonempty': [
    'A session id is a number.',
    (b) => {
      b.world.ids.session = (random) => String(100_000_000 + random.below(800_000_000))
      onMade(b, change('session_id', Number))
    },
  ],
  'session.id-nonempty~empty': ['A session has no id.', (b) => onMade(b, put('session_id', ''))],
  'session.id-unique': [
    'All sessions of a workspace have one id.',
    ({ world }) => void (world.ids.session = () => 'ws_0001'),
  ],
  'session.model-echoed': [
    'The model comes back with its build.',
    (b) =>
      onMade(
        b,
        change('model', (model) => `${String(model)}-0917`),
      ),
  ],
  'session.created-at-timestamp': ['The creation is told in seconds.', (b) => onMade(b, seconds('created_at'))],
  'session.created-at-timestamp~no-zone': [
    'The creation is told without a zone.',
    (b) =>
      onShown(
        b,
        change('created_at', (value) =>
          String(value)
            .replace(/\.\d+Z$/u, '')
            .replace('T', ' '),
        ),
      ),
  ],
  'session.expires-at-timestamp': ['The expiry is told in words.', (b) => onMade(b, put('expires_at', 'in an hour'))],
  'session.expires-at-in-future': [
    'The expiry is the moment of the creation.',
    (b) => onMade(b, (data) => ({ ...data, expires_at: data['created_at'] })),
  ],
  'session.expires-at-within-request': [
    'A session lasts an hour longer than asked.',
    ({ world }) => void (world.life.expiryMs = (asked) => asked * 1000 + HOUR_MS),
  ],
  'session.expires-at-within-request~minutes': [
    'The lifetime is taken for minutes.',
    ({ world }) => void (world.life.expiryMs = (asked) => asked * 60_000),
  ],
  'session.expires-at-within-request~default': [
    'The lifetime that was asked for is left aside.',
    ({ world }) => void (world.create.seconds = (_body, byDefault) => byDefault),
  ],
})

const statusDefects = defectsOf('world-sessions', {
  'status.in-set-on-create': ['A new session is ready.', (b) => onMade(b, put('status', 'ready'))],
  'status.in-set-on-create~closing': [
    'A new session is shown as held.',
    (b) =>
      onMade(
        b,
        change('status', () => 'held'),
      ),
  ],
  'status.in-set-on-get': [
    'A closed session has ended.',
    (b) =>
      onGot(
        b,
        change('status', (status) => (status === 'closed' ? 'ended' : status)),
      ),
  ],
  'status.provisioning-becomes-active': [
    'A session is provisioned for ever.',
    ({ world }) => {
      world.life.initial = () => 'provisioning'
      world.life.provisioningMs = 2 ** 31
    },
  ],
  'status.never-provisioning-again': [
    'A session that was active shows provisioning from the second look on.',
    (b) => {
      const look = looks()
      onGot(b, (data) => (data['status'] === 'active' && look(data) > 1 ? put('status', 'provisioning')(data) : data))
    },
  ],
})

/** The same mistakes in the descriptors of either channel. */
const descriptorDefects = (['control', 'media'] as const).flatMap((channel) =>
  defectsOf('world-sessions', {
    [`${channel}.url-nonempty`]: [
      `There is no address of the ${channel} channel.`,
      (b) => onMade(b, put(`${channel}.url`, '')),
    ],
    [`${channel}.client-secret-nonempty`]: [
      `There is no secret of the ${channel} channel.`,
      (b) => onMade(b, drop(`${channel}.client_secret`)),
    ],
    [`${channel}.expires-at-timestamp`]: [
      `The expiry of the ${channel} secret is told in seconds.`,
      (b) => onMade(b, seconds(`${channel}.expires_at`)),
    ],
    [`${channel}.expires-at-in-future`]: [
      `The ${channel} secret is stale when it comes.`,
      (b) => onMade(b, later(`${channel}.expires_at`, -HOUR_MS)),
    ],
    [`${channel}.secret-session-scoped`]: [
      `All sessions share their ${channel} secret.`,
      ({ world }) => {
        const { secret } = world.ids
        world.ids.secret = (random, account, of) =>
          of === channel ? `shared_${account.workspace.repeat(5)}` : secret(random, account, of)
      },
    ],
    [`${channel}.secret-other-than-api-key`]: [
      `The ${channel} secret is the API key.`,
      ({ world }) => {
        const { secret } = world.ids
        world.ids.secret = (random, account, of) => (of === channel ? account.secret : secret(random, account, of))
      },
    ],
    [`${channel}.secret-rejected-as-api-key`]: [
      `A ${channel} secret works as an API key.`,
      (b) => secretsAsKeys(b, channel),
    ],
  }),
)

const addressDefects = defectsOf('world-sessions', {
  'control.secret-session-scoped~pairs': [
    'The secrets of a session come back with the next one.',
    ({ world }) => {
      const { secret } = world.ids
      let [kept, count] = ['', 0]
      world.ids.secret = (random, account, of) => {
        if (of !== 'control') return secret(random, account, of)
        count += 1
        if (count % 2 === 1) kept = secret(random, account, of)
        return kept
      }
    },
  ],
  'control.url-path': [
    'The control channel has a path below the session.',
    ({ world }) => void (world.channel.paths.control = '/v1/streaming-world/sessions/control'),
  ],
  'control.url-path~plural': [
    'The address of the control channel has a letter too many.',
    (b) =>
      onMade(
        b,
        change('control.url', (url) => String(url).replace('/control?', '/controls?')),
      ),
  ],
})

/** Where the secrets of one channel go to the other, or nowhere. */
const leakDefects = defectsOf('world-sessions', {
  'get.no-secret-value': [
    'Get shows the control secret as token.',
    (b) => {
      const known = given(b)
      onGot(b, (data) => put('control.token', secretOf(known(data), 'control'))(data))
    },
  ],
  'get.no-secret-value~url': [
    'Get shows the address of the control channel with its token.',
    (b) => {
      const known = given(b)
      onGot(b, (data) =>
        change('control.url', (url) => `${String(url)}&token=${secretOf(known(data), 'control')}`)(data),
      )
    },
  ],
  'get.no-secret-value~media-in-runtime': [
    'Get shows the media secret among the runtime.',
    (b) => {
      const known = given(b)
      onGot(b, (data) => put('runtime.join_token', secretOf(known(data), 'media'))(data))
    },
  ],
  'get.no-client-secret': [
    'Get returns the secret of the control channel.',
    (b) => {
      const known = given(b)
      onGot(b, (data) => put('control.client_secret', secretOf(known(data), 'control'))(data))
    },
  ],
  'get.no-client-secret~masked': [
    'Get returns a masked secret of the media channel.',
    (b) => onGot(b, put('media.client_secret', '***')),
  ],
  'get.no-client-secret~deep': [
    'Get returns the media secret in the depth of a list.',
    (b) => {
      const known = given(b)
      onGot(b, (data) => put('media.routes', [{ region: 'eu', client_secret: secretOf(known(data), 'media') }])(data))
    },
  ],
  'get.no-client-secret~after-refresh': [
    'Get returns secrets once fresh ones were made.',
    (b) => {
      const known = given(b)
      onGot(b, (data) => {
        const last = known(data)
        return 'status' in last ? data : put('control.client_secret', secretOf(last, 'control'))(data)
      })
    },
  ],
})

export const worldSessionStateDefects = [
  ...sessionDefects,
  ...statusDefects,
  ...descriptorDefects,
  ...addressDefects,
  ...leakDefects,
]
