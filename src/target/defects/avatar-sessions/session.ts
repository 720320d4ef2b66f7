import type { Behaviour } from '#target/behaviour/behaviour'
import type { AutoClose } from '#target/sessions/session'
import { textOf, type Wire, wireAt } from '#target/wire'
import { change, drop, put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onCreated } from '../tools.ts'

/** Half an hour in place of some idle timeouts. */
const idleInstead = ({ create }: Behaviour, where: (asked: unknown) => boolean): void => {
  const { autoClose } = create
  create.autoClose = (body, limits, duration) => {
    const policy = autoClose(body, limits, duration)
    const asked = wireAt(body, 'auto_close')['interaction_idle_timeout_seconds']
    return where(asked) ? { ...policy, idleSeconds: 1800 } : policy
  }
}

const lower = ({ create }: Behaviour, make: (policy: AutoClose) => AutoClose): void => {
  const { autoClose } = create
  create.autoClose = (body, limits, duration) => make(autoClose(body, limits, duration))
}

const shorter = (seconds: number, least: number): number => (seconds > least ? seconds - 1 : seconds)

const fieldDefects = defectsOf('avatar-sessions', {
  'session.id-nonempty': [
    'The session id is a number.',
    (b) => {
      b.ids.session = (random) => Array.from({ length: 14 }, () => String(1 + random.below(9))).join('')
      onCreated(b, change('session_id', Number))
    },
  ],
  'session.id-nonempty~missing': ['The session id is left out.', (b) => onCreated(b, drop('session_id'))],
  'session.id-unique': [
    'Every fifth session has the id of the one before.',
    ({ ids }) => {
      const { session: make } = ids
      let [count, last] = [0, '']
      ids.session = (random) => {
        count += 1
        if (count % 5 !== 0) last = make(random)
        return last
      }
    },
  ],
  'session.status-in-set': ['A new session is `ready`.', (b) => onCreated(b, put('status', 'ready'))],
  'session.auto-close-object': ['The policy is a list.', (b) => onCreated(b, put('auto_close', [300, 0]))],
  'session.auto-close-object~missing': ['There is no policy.', (b) => onCreated(b, drop('auto_close'))],
  'session.disconnected-timeout-integer': [
    'The disconnected timeout is null.',
    (b) => onCreated(b, put('auto_close.disconnected_timeout_seconds', null)),
  ],
  'session.idle-timeout-integer': [
    'The idle timeout is a fraction.',
    (b) => onCreated(b, put('auto_close.interaction_idle_timeout_seconds', 0.5)),
  ],
  'session.disconnected-timeout-effective': [
    'The disconnected timeout is rounded up to minutes.',
    ({ create }) => {
      const { autoClose } = create
      create.autoClose = (body, limits, duration) => {
        const policy = autoClose(body, limits, duration)
        return { ...policy, disconnectedSeconds: Math.ceil(policy.disconnectedSeconds / 60) * 60 }
      }
    },
  ],
  'session.idle-timeout-effective': [
    'The idle timeout is rounded up to minutes.',
    ({ create }) => {
      const { autoClose } = create
      create.autoClose = (body, limits, duration) => {
        const policy = autoClose(body, limits, duration)
        return { ...policy, idleSeconds: Math.ceil(policy.idleSeconds / 60) * 60 }
      }
    },
  ],
  'session.disconnected-timeout-unchanged': [
    'The disconnected timeout is a second shorter than asked for.',
    (b) => lower(b, (policy) => ({ ...policy, disconnectedSeconds: shorter(policy.disconnectedSeconds, 10) })),
  ],
  'session.idle-timeout-unchanged': [
    'The idle timeout is a second shorter than asked for.',
    (b) => lower(b, (policy) => ({ ...policy, idleSeconds: shorter(policy.idleSeconds, 30) })),
  ],
  'session.disconnected-timeout-zero': [
    'A disconnected timeout of 0 becomes the platform’s.',
    ({ create }) => {
      const { autoClose } = create
      create.autoClose = (body, limits, duration) => {
        const policy = autoClose(body, limits, duration)
        return policy.disconnectedSeconds === 0
          ? { ...policy, disconnectedSeconds: limits.disconnectedPlatform }
          : policy
      }
    },
  ],
  'session.idle-timeout-zero': [
    'An idle timeout of 0 means half an hour.',
    (b) => idleInstead(b, (asked) => asked === 0),
  ],
  'session.idle-timeout-omitted-zero': [
    'An omitted idle timeout means half an hour.',
    (b) => idleInstead(b, (asked) => asked === undefined),
  ],
  'session.auto-close-snapshot': [
    'Get shows another policy than the create.',
    ({ views }) => {
      views.got['auto_close'] = ({ plan }) => ({
        disconnected_timeout_seconds: plan.autoClose.disconnectedSeconds + 5,
        interaction_idle_timeout_seconds: plan.autoClose.idleSeconds + 5,
      })
    },
  ],
  'session.region-string': [
    'Without a hint the region is null.',
    (b) =>
      onCreated(
        b,
        change('region', (region) => (region === '' ? null : region)),
      ),
  ],
  'session.region-echoed': [
    'The region is lowered in case and cut.',
    ({ create }) => {
      const { region } = create
      create.region = (body) => region(body).toLowerCase().slice(0, 2)
    },
  ],
  'session.region-echoed~lost': ['The region is lost.', ({ create }) => void (create.region = () => '')],
  'session.mode-in-set': [
    'The mode is written in capitals.',
    (b) =>
      onCreated(
        b,
        change('session.mode', (mode) => String(mode).toUpperCase()),
      ),
  ],
  'session.mode-effective': [
    'The mode is always returned as video.',
    (b) => onCreated(b, put('session.mode', 'video_avatar')),
  ],
  'session.active-avatar-id-nonempty': [
    'The active avatar is left out.',
    (b) => onCreated(b, drop('session.active_avatar_id')),
  ],
  'session.active-avatar-among-avatars': [
    'The active avatar has a prefix.',
    (b) =>
      onCreated(
        b,
        change('session.active_avatar_id', (id) => `av_${String(id)}`),
      ),
  ],
  'session.source-image-id-in-video': [
    'The image of a video session is left out.',
    (b) => onCreated(b, drop('session.source_image_id')),
  ],
  'session.source-image-id-omitted-in-text-chat': [
    'The image of a text chat is null.',
    (b) =>
      onCreated(
        b,
        change('session.source_image_id', (id) => id ?? null),
      ),
  ],
  'session.model-echoed': [
    'The model carries a version.',
    (b) =>
      onCreated(
        b,
        change('model', (model) => `${String(model)}-001`),
      ),
  ],
  'session.expires-at-timestamp': [
    'The expiry is in seconds since 1970.',
    ({ views }) => {
      views.created['expires_at'] = (session) => Math.round(session.expiresAt / 1000)
    },
  ],
  'session.expires-at-timestamp~null': ['The expiry is null.', (b) => onCreated(b, put('expires_at', null))],
  'session.expires-at-in-future': [
    'The expiry is the time of creation.',
    ({ views }) => {
      views.created['expires_at'] = (session) => new Date(session.createdAt - 1000).toISOString()
    },
  ],
})

const controlDefects = defectsOf('avatar-sessions', {
  'control.url-absolute-wss': [
    'The control URL is relative.',
    (b) =>
      onCreated(
        b,
        change('control.url', (url) => String(url).replace(/^wss?:\/\/[^/]+/u, '')),
      ),
  ],
  'control.url-absolute-wss~https': [
    'The control URL is HTTPS.',
    (b) =>
      onCreated(
        b,
        change('control.url', (url) => String(url).replace(/^ws/u, 'http')),
      ),
  ],
  'control.url-path': [
    'The channel has another path.',
    (b) => {
      onCreated(
        b,
        change('control.url', (url) => String(url).replace('/realtime-avatar/control', '/realtime-avatar/channel')),
      )
      b.channel.admission['path-unknown'] = ({ path }) => !path.startsWith('/v1/realtime-avatar/c')
    },
  ],
  'control.url-session-id-parameter': [
    'The control URL names its session by `sid`.',
    (b) => {
      onCreated(
        b,
        change('control.url', (url) => String(url).replace('session_id=', 'sid=')),
      )
      b.channel.sessionParameter = 'sid'
    },
  ],
  'control.url-session-id-value': [
    'The control URL names another session id.',
    (b) =>
      onCreated(
        b,
        change('control.url', (url) => `${String(url)}x`),
      ),
  ],
  'control.url-without-token': [
    'The control URL holds its token.',
    (b) => onCreated(b, (data) => change('control.url', (url) => `${String(url)}&token=${secretIn(data)}`)(data)),
  ],
  'control.client-secret-nonempty': ['The secret is left out.', (b) => onCreated(b, drop('control.client_secret'))],
})

const secretIn = (data: Wire): string => encodeURIComponent(textOf(wireAt(data, 'control')['client_secret']) ?? '')

const outputDefects = defectsOf('avatar-sessions', {
  'output.present-in-video': ['A video session shows no output.', (b) => onCreated(b, drop('output'))],
  'output.aspect-ratio-string': [
    'The aspect ratio is an object.',
    (b) => onCreated(b, replace('output.aspect_ratio', { width: 9, height: 16 })),
  ],
  'output.aspect-ratio-echoed': [
    'The aspect ratio is turned round.',
    (b) =>
      onCreated(
        b,
        change('output.aspect_ratio', (ratio) => String(ratio).split(':').toReversed().join(':')),
      ),
  ],
  'output.resolution-in-set': [
    'The resolution lacks its letter.',
    (b) =>
      onCreated(
        b,
        change('output.resolution', (resolution) => String(resolution).replace('p', '')),
      ),
  ],
  'output.resolution-echoed': [
    'The resolution is always 480p.',
    (b) => onCreated(b, replace('output.resolution', '480p')),
  ],
  'output.fps-integer': ['The frame rate is a fraction.', (b) => onCreated(b, replace('output.fps', 23.976))],
  'output.fps-default': ['The frame rate is 30.', ({ limits }) => void (limits.fps = 30)],
  'output.absent-in-text-chat': [
    'A text chat shows an output.',
    ({ views }) => {
      views.created['output'] = ({ plan }) => plan.output ?? { aspect_ratio: '9:16', resolution: '480p', fps: 24 }
    },
  ],
})

export const sessionDefects = [...fieldDefects, ...controlDefects, ...outputDefects]
