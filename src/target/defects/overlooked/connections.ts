import type { Behaviour } from '#target/behaviour/behaviour'
import { textOf, type Wire, wireAt, wiresAt, without } from '#target/wire'
import { defectsOf } from '../table.ts'
import { beforeConnect, memory, onEvent } from '../tools.ts'

function replaceAfterReconnect({ channel, rules }: Behaviour): void {
  const loose = memory(() => new Set<unknown>())
  beforeConnect({ channel }, (session) => {
    const given = new Set(Object.keys(session.plan.assets ?? {}).flatMap((kind) => idsAt(session.plan.assets, kind)))
    for (const store of Object.values(session.assets))
      for (const id of store.keys()) if (!given.has(id)) loose(session).add(id)
  })
  const { broken } = rules.assetAddition['asset-id-taken']
  rules.assetAddition['asset-id-taken'].broken = (input) => {
    const assets = wireAt(input.event, 'assets')
    const fixed = Object.keys(assets).map((kind) => {
      const left = wiresAt(assets, kind).filter((one) => !loose(input.session).has(one['asset_id']))
      return [kind, left] as const
    })
    return broken({ ...input, event: { ...input.event, assets: Object.fromEntries(fixed) } })
  }
}

const idsAt = (assets: Wire | undefined, kind: string): readonly unknown[] =>
  wiresAt(assets ?? {}, kind).map((one) => one['asset_id'])

/** The control channel: what one connection leaves to the next one, and one event to the next one. */
export const overlookedConnectionDefects = defectsOf('control-channel', {
  'asset-add.existing-content-kept~reconnect': [
    'After a reconnect ids that were added before can be replaced.',
    replaceAfterReconnect,
  ],
  'avatar-add.selectable~reconnect': [
    'Added avatars are gone after a reconnect, save the active one.',
    ({ channel }) => {
      beforeConnect({ channel }, (session) => {
        const { avatars, plan, state } = session
        const kept = avatars.filter((one) => plan.avatars.includes(one) || one['avatar_id'] === state.activeAvatarId)
        avatars.splice(0, avatars.length, ...kept)
      })
    },
  ],
  'secret.reconnect-keeps-state~added': [
    'An added avatar that is active is so no more after a reconnect.',
    ({ channel }) => {
      beforeConnect({ channel }, (session) => {
        const [first] = session.plan.avatars
        const given = session.plan.avatars.some((one) => one['avatar_id'] === session.state.activeAvatarId)
        if (!given) session.state = { ...session.state, activeAvatarId: textOf(first?.['avatar_id']) ?? '' }
      })
    },
  ],
  'secret.reconnect-keeps-state~mode': [
    'A reconnect brings back the mode of the create.',
    ({ channel }) => {
      beforeConnect({ channel }, (session) => {
        session.state = { ...session.state, mode: session.plan.state.mode }
      })
    },
  ],
  'avatar-add.not-active~several': [
    'The last of several added avatars becomes active.',
    ({ registry }) => {
      const { stateAfterAdd } = registry
      registry.stateAfterAdd = (session, added) => {
        const state = stateAfterAdd(session, added)
        const id = textOf(added.at(-1)?.['avatar_id'])
        return added.length > 1 && id !== undefined ? { ...state, activeAvatarId: id } : state
      }
    },
  ],
  'session-update.null-clears-explicit-image~beside': [
    'A source_image_id of null beside another field counts as omitted.',
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, ...rest) => {
        const beside = asked['source_image_id'] === null && Object.keys(asked).length > 1
        return image(beside ? without(asked, 'source_image_id') : asked, ...rest)
      }
    },
  ],
  'error.event-id-names-cause~stale': [
    'An error about an event without event_id names the event of the error before.',
    (behaviour) => {
      const last = memory(() => ({ id: undefined as unknown }))
      onEvent(behaviour, 'error', (event, session) => {
        const error = wireAt(event, 'error')
        const id = error['event_id'] ?? last(session).id
        last(session).id = id
        return id === undefined ? event : { ...event, error: { ...error, event_id: id } }
      })
    },
  ],
})
