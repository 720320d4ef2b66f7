import type { Override } from '#target/behaviour/behaviour'
import { change, omit, put } from '#target/overrides/changes'
import { onAutoClose, onCreated, onData, onSuccess } from '#target/overrides/data'
import { around, set } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject, objectAt } from '#target/wire'
import { START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** Half an hour in place of some idle timeouts. */
const idleInstead = (where: (asked: unknown) => boolean): Override =>
  around('create.autoClose', (autoClose) => (body, limits, duration) => {
    const policy = autoClose(body, limits, duration)
    const asked = objectAt(body, 'auto_close')['interaction_idle_timeout_seconds']
    return where(asked) ? { ...policy, idleSeconds: 1800 } : policy
  })

const shorter = (seconds: number, least: number): number => (seconds > least ? seconds - 1 : seconds)

const explicitImage: Override = ({ create, views }) => {
  const bodies = new WeakMap<object, JsonObject>()
  const { conversation } = create
  create.conversation = (body) => {
    const made = conversation(body)
    bodies.set(made, body)
    return made
  }
  for (const fields of [views.created, views.replayed]) {
    const shown = fields['session']
    fields['session'] = (session, address) => {
      const named = textOf(objectAt(bodies.get(session.plan.conversation), 'session')['source_image_id'])
      const value = shown?.(session, address)
      return isWire(value) && session.plan.state.mode === 'text_chat' && named !== undefined
        ? { ...value, source_image_id: named }
        : value
    }
  }
}

export const sessionDefects = defectsOf('avatar-sessions.session', {
  'id-nonempty: The session id is a number.': [
    set('ids.session', (random) => Array.from({ length: 14 }, () => String(1 + random.below(9))).join('')),
    onCreated(change('session_id', Number)),
  ],
  'id-nonempty~missing: The session id is left out.': onCreated(omit('session_id')),
  'id-nonempty~beside-data: What a create made stands beside the code, not in data.': onSuccess(
    ({ data, ...envelope }) => (isWire(data) ? { ...envelope, ...data } : { ...envelope, data }),
  ),
  'id-nonempty~result: What a create made stands in a member of data.': onSuccess(({ data, ...envelope }) => ({
    ...envelope,
    data: { result: data },
  })),
  'id-unique: Every fifth session has the id of the one before.': around('ids.session', (make) => {
    let [count, last] = [0, '']
    return (random) => {
      count += 1
      if (count % 5 !== 0) last = make(random)
      return last
    }
  }),
  'status-in-set: A new session is `ready`.': onCreated(put('status', 'ready')),
  'auto-close-object: The policy is a list.': onCreated(put('auto_close', [300, 0])),
  'auto-close-object~missing: There is no policy.': onCreated(omit('auto_close')),
  'disconnected-timeout-integer: The disconnected timeout is null.': onCreated(
    put('auto_close.disconnected_timeout_seconds', null),
  ),
  'idle-timeout-integer: The idle timeout is a fraction.': onCreated(
    put('auto_close.interaction_idle_timeout_seconds', 0.5),
  ),
  'disconnected-timeout-effective: The disconnected timeout is rounded up to minutes.': around(
    'create.autoClose',
    (autoClose) => (body, limits, duration) => {
      const policy = autoClose(body, limits, duration)
      return { ...policy, disconnectedSeconds: Math.ceil(policy.disconnectedSeconds / 60) * 60 }
    },
  ),
  'idle-timeout-effective: The idle timeout is rounded up to minutes.': around(
    'create.autoClose',
    (autoClose) => (body, limits, duration) => {
      const policy = autoClose(body, limits, duration)
      return { ...policy, idleSeconds: Math.ceil(policy.idleSeconds / 60) * 60 }
    },
  ),
  'disconnected-timeout-unchanged: The disconnected timeout is a second shorter than asked for.': onAutoClose(
    (policy) => ({
      ...policy,
      disconnectedSeconds: shorter(policy.disconnectedSeconds, 10),
    }),
  ),
  'idle-timeout-unchanged: The idle timeout is a second shorter than asked for.': onAutoClose((policy) => ({
    ...policy,
    idleSeconds: shorter(policy.idleSeconds, 30),
  })),
  'disconnected-timeout-zero: A disconnected timeout of 0 becomes the platform’s.': around(
    'create.autoClose',
    (autoClose) => (body, limits, duration) => {
      const policy = autoClose(body, limits, duration)
      return policy.disconnectedSeconds === 0 ? { ...policy, disconnectedSeconds: limits.disconnectedPlatform } : policy
    },
  ),
  'disconnected-timeout-zero~beside-idle: Beside an idle timeout, a disconnected timeout of 0 becomes that one.':
    around('create.autoClose', (autoClose) => (...given) => {
      const { disconnectedSeconds, idleSeconds } = autoClose(...given)
      return { disconnectedSeconds: disconnectedSeconds || idleSeconds, idleSeconds }
    }),
  'idle-timeout-zero: An idle timeout of 0 means half an hour.': idleInstead((asked) => asked === 0),
  'idle-timeout-omitted-zero: An omitted idle timeout means half an hour.': idleInstead((asked) => asked === undefined),
  'idle-timeout-omitted-zero~beside: An idle timeout that is omitted beside a disconnected timeout is the same.':
    around('create.autoClose', (autoClose) => (body, limits, maxDuration) => {
      const policy = autoClose(body, limits, maxDuration)
      const asked = objectAt(body, 'auto_close')
      return typeof asked['disconnected_timeout_seconds'] === 'number' &&
        asked['interaction_idle_timeout_seconds'] === undefined
        ? { ...policy, idleSeconds: policy.disconnectedSeconds }
        : policy
    }),
  'auto-close-snapshot: Get shows another policy than the create.': set('views.got.auto_close', ({ plan }) => ({
    disconnected_timeout_seconds: plan.autoClose.disconnectedSeconds + 5,
    interaction_idle_timeout_seconds: plan.autoClose.idleSeconds + 5,
  })),
  'auto-close-snapshot~text: Get spells the timeouts as texts, and shows others.': set(
    'views.got.auto_close',
    ({ plan }) => ({
      disconnected_timeout_seconds: String(plan.autoClose.disconnectedSeconds + 5),
      interaction_idle_timeout_seconds: String(plan.autoClose.idleSeconds + 5),
    }),
  ),
  'region-string: Without a hint the region is null.': onCreated(
    change('region', (region) => (region === '' ? null : region)),
  ),
  'region-echoed: The region is lowered in case and cut.': around(
    'create.region',
    (region) => (body) => region(body).toLowerCase().slice(0, 2),
  ),
  'region-echoed~cut: A region comes back cut to 64 characters.': around(
    'create.region',
    (region) => (body) => region(body).slice(0, 64),
  ),
  'region-echoed~lost: The region is lost.': set('create.region', () => ''),
  'region-echoed~sticky: A create without region shows that of the create before it.': around(
    'create.region',
    (region) => {
      let last = ''
      return (body) => {
        last = region(body) || last
        return last
      }
    },
  ),
  'region-echoed~non-ascii: A region loses its characters outside ASCII.': around(
    'create.region',
    (region) => (body) =>
      Array.from(region(body))
        .filter((one) => one.charCodeAt(0) < 128)
        .join(''),
  ),
  'mode-in-set: The mode is written in capitals.': onCreated(
    change('session.mode', (mode) => String(mode).toUpperCase()),
  ),
  'mode-effective: The mode is always returned as video.': onCreated(put('session.mode', 'video_avatar')),
  'active-avatar-id-nonempty: The active avatar is left out.': onCreated(omit('session.active_avatar_id')),
  'active-avatar-among-avatars: The active avatar has a prefix.': onCreated(
    change('session.active_avatar_id', (id) => `av_${String(id)}`),
  ),
  'source-image-id-in-video: The image of a video session is left out.': onCreated(omit('session.source_image_id')),
  'source-image-id-omitted-in-text-chat: The image of a text chat is null.': onCreated(
    change('session.source_image_id', (id) => id ?? null),
  ),
  'source-image-id-omitted-in-text-chat~explicit: A source image that a text_chat create names is returned.':
    explicitImage,
  'model-echoed: The model carries a version.': onCreated(change('model', (model) => `${String(model)}-001`)),
  'model-echoed~other-workspace: In one workspace the model carries a version.': around(
    'views.created.model',
    (model) => (session, address) =>
      session.account.workspace === 'second' ? `${String(model(session, address))}-001` : model(session, address),
  ),
  'expires-at-timestamp: The expiry is in seconds since 1970.': set('views.created.expires_at', (session) =>
    Math.round(session.expiresAt / 1000),
  ),
  'expires-at-timestamp~null: The expiry is null.': onCreated(put('expires_at', null)),
  'expires-at-in-future: The expiry is the time of creation.': set('views.created.expires_at', (session) =>
    new Date(session.createdAt - 1000).toISOString(),
  ),
  'expires-at-in-future~character: A session from a character expires at its creation.': onData(START, (data) => ({
    ...data,
    expires_at: new Date(Date.now() - 1000).toISOString(),
  })),
  'region-echoed~in-video: In video sessions the region is lost.': onCreated((data) =>
    objectAt(data, 'session')['mode'] === 'video_avatar' ? { ...data, region: '' } : data,
  ),
  'region-echoed~lite: The lite model has no region.': onCreated((data) =>
    data['model'] === 'svc-a1-stream-lite' ? { ...data, region: '' } : data,
  ),
})
