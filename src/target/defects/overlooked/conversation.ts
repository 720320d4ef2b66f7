import type { Behaviour } from '#target/behaviour/behaviour'
import { avatarOf, imagesOf } from '#target/behaviour/create'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { textOf, type Wire, wireAt, wiresAt, wiresOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

/** Tells of every valid session.update before it is performed. */
const onUpdate = ({ rules }: Behaviour, see: (event: Wire, session: Session) => void): void =>
  demand(
    rules.sessionUpdate,
    'seen-by-defect',
    rule('4.4', 'session', ({ event, session }) => {
      see(event, session)
      return false
    }),
  )

/** The ids of items that generation and scripts wrote. */
function written({ conversation }: Behaviour): Set<unknown> {
  const ids = new Set<unknown>()
  const { kept } = conversation
  conversation.kept = (item, plan) => {
    ids.add(item['id'])
    return kept(item, plan)
  }
  return ids
}

/** Updates, assets, avatars and items, where they are not the first of their kind. */
export const overlookedConversationDefects = defectsOf('control-channel', {
  'session-update.mode-kept-when-omitted~created': [
    'An update of the avatar alone brings back the mode of creation.',
    ({ update }) => {
      const resolve = update.resolve.bind(update)
      update.resolve = (asked, session) =>
        resolve(
          asked['mode'] === undefined &&
            asked['source_image_id'] === undefined &&
            typeof asked['active_avatar_id'] === 'string'
            ? { ...asked, mode: session.plan.state.mode }
            : asked,
          session,
        )
    },
  ],
  'session-updated.source-image-null-in-text-chat~with-avatar': [
    'An update to text_chat that names another avatar, too, shows the image of that one.',
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) =>
        asked['mode'] === 'text_chat' &&
        typeof asked['active_avatar_id'] === 'string' &&
        asked['active_avatar_id'] !== session.state.activeAvatarId
          ? update.derivedImage(active)
          : image(asked, session, mode, active)
    },
  ],
  'avatar-add.selectable-in-video~added': [
    'The default image of an avatar that was added is not looked at: its first one is taken.',
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const found = image(asked, session, mode, active)
        const derives =
          asked['source_image_id'] === undefined && update.keptImage(session.state, active, session) === null
        if (mode !== 'video_avatar' || !derives || active === undefined || session.plan.avatars.includes(active))
          return found
        return textOf(imagesOf(active)[0]?.['source_image_id']) ?? found
      }
    },
  ],
  'session-update.updated-once~stale': [
    'An update without event_id is confirmed under that of the last one that had one.',
    (behaviour) => {
      const last = memory(() => ({ id: undefined as string | undefined }))
      let current: Session | undefined
      const resolve = behaviour.update.resolve.bind(behaviour.update)
      behaviour.update.resolve = (asked, session) => {
        current = session
        return resolve(asked, session)
      }
      onUpdate(behaviour, (event, session) => {
        const id = textOf(event['event_id'])
        if (id !== undefined && id !== '') last(session).id = id
      })
      behaviour.update.ownEventId = (generated) => (current === undefined ? undefined : last(current).id) ?? generated
    },
  ],
  'secret.reconnect-keeps-state~image': [
    'A reconnect brings back the image of creation.',
    ({ channel }) => {
      const { onConnect } = channel
      channel.onConnect = (session) => {
        onConnect(session)
        const { state, plan } = session
        if (!session.everConnected || session.connections.size > 0) return
        if (state.mode === plan.state.mode && state.activeAvatarId === plan.state.activeAvatarId)
          session.state = plan.state
      }
    },
  ],
  'asset-add.existing-content-kept~beside-new': [
    'A refused asset.add of several assets changes the text of those that are known.',
    ({ registry }) => {
      registry.keptOfRefusedAssets = (given, session) => {
        if (Object.values(given).flatMap((list) => wiresOf(list)).length < 2) return {}
        return {
          speech_text: wiresAt(given, 'speech_text').filter(
            ({ asset_id: id, text }) =>
              typeof id === 'string' && session.assets.speech_text.has(id) && typeof text === 'string',
          ),
        }
      }
    },
  ],
  'avatar-add.images-not-appended~beside-new': [
    'A refused avatar.add of several avatars appends images to those that are known.',
    ({ registry }) => {
      registry.keptOfRefusedAvatars = (given, session) =>
        given.length < 2
          ? []
          : given.flatMap((avatar) => {
              const known = avatarOf(session.avatars, textOf(avatar['avatar_id']))
              if (known === undefined) return []
              const ids = imagesOf(known).map((image) => image['source_image_id'])
              const more = imagesOf(avatar).filter((image) => !ids.includes(image['source_image_id']))
              const visual = { ...wireAt(known, 'visual'), source_images: [...imagesOf(known), ...more] }
              return [{ ...known, visual }]
            })
    },
  ],
  'avatar-added.instructions-effective~leak': [
    'An added avatar without instructions shows those of the one before it.',
    ({ registry }) => {
      registry.confirmedAvatars = (registered) => {
        let last: unknown
        return registered.map((avatar) => {
          last = avatar['instructions'] ?? last
          return last === undefined ? avatar : { ...avatar, instructions: last }
        })
      }
    },
  ],
  'item-create.root-inserts-at-start~second': [
    'The second item at the root goes behind the first one.',
    ({ conversation }) => {
      const rooted = memory(() => new Set<unknown>())
      let asRoot = false
      const { position, stores } = conversation
      conversation.position = (previous, items) => {
        asRoot = previous === 'root'
        return asRoot && rooted(items).has(items[0]?.['id']) ? 1 : position(previous, items)
      }
      conversation.stores = (item, items) => {
        if (asRoot) rooted(items).add(item['id'])
        return stores(item, items)
      }
    },
  ],
  'item-create.inserted-after-named~generated': [
    'An item that is to go behind one made by generation is appended.',
    (behaviour) => {
      const made = written(behaviour)
      const { position } = behaviour.conversation
      behaviour.conversation.position = (previous, items) =>
        made.has(previous) ? items.length : position(previous, items)
    },
  ],
  'item-created.previous-item-known~deleted': [
    'Output after the last item was deleted is announced behind the deleted one.',
    ({ conversation }) => {
      const gone = memory(() => ({ id: undefined as string | undefined, length: -1 }))
      let byClient = false
      const { position, remove, announcedPrevious } = conversation
      conversation.position = (previous, items) => {
        byClient = true
        return position(previous, items)
      }
      conversation.remove = (items, id) => {
        const last = items.at(-1)?.['id'] === id
        remove(items, id)
        if (last) Object.assign(gone(items), { id: textOf(id), length: items.length })
      }
      conversation.announcedPrevious = (items, index, asked) => {
        const client = byClient
        byClient = false
        const { id, length } = gone(items)
        return !client && length === items.length && id !== undefined ? id : announcedPrevious(items, index, asked)
      }
    },
  ],
  'item-delete.gone~generated': [
    'Items that generation made survive their deletion.',
    (behaviour) => {
      const made = written(behaviour)
      const { remove } = behaviour.conversation
      behaviour.conversation.remove = (items, id) => {
        if (!made.has(id)) remove(items, id)
      }
    },
  ],
})
