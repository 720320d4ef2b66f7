import { type Wire, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

const indexOf = (items: Wire[], id: unknown): number => items.findIndex((item) => item['id'] === id)

/** 4.4 conversation items: their order, and ids that are used again. */
export const subtleItemDefects = defectsOf('control-channel', {
  'item-create.inserted-after-named~twice': [
    'The second item after the same one is put after the first such item.',
    ({ conversation }) => {
      const followers = memory(() => ({ named: undefined as string | undefined, last: new Map<string, string>() }))
      const { position, stores } = conversation
      conversation.position = (previous, items) => {
        const known = followers(items)
        known.named = typeof previous === 'string' && previous !== 'root' ? previous : undefined
        const last = known.named === undefined ? undefined : known.last.get(known.named)
        return position(last !== undefined && indexOf(items, last) >= 0 ? last : previous, items)
      }
      conversation.stores = (item, items) => {
        const { named, last } = followers(items)
        if (named !== undefined) last.set(named, String(item['id']))
        return stores(item, items)
      }
    },
  ],
  'item-create.appended-when-omitted~after-output': [
    'Without a place an item is put after the last one of the client, before output that came since.',
    ({ conversation }) => {
      const generated = new Set<unknown>()
      const { position, kept } = conversation
      conversation.kept = (item, plan) => {
        generated.add(item['id'])
        return kept(item, plan)
      }
      conversation.position = (previous, items) => {
        if (previous !== undefined) return position(previous, items)
        return items.findLastIndex((item) => !generated.has(item['id'])) + 1
      }
    },
  ],
  'item-retrieve.content~reused-id': [
    'An item under the id of a deleted one is retrieved with the content of that one.',
    ({ conversation }) => {
      const deleted = memory(() => new Map<unknown, Wire>())
      const { remove, find } = conversation
      conversation.remove = (items, id) => {
        const item = find(items, id)
        if (item !== undefined) deleted(items).set(id, item)
        remove(items, id)
      }
      conversation.find = (items, id) => {
        const item = find(items, id)
        return item === undefined ? undefined : (deleted(items).get(id) ?? item)
      }
    },
  ],
  'item-delete.others-kept~function-call': [
    'A deleted function call takes its output with it.',
    ({ conversation }) => {
      const { remove } = conversation
      conversation.remove = (items, id) => {
        const call = items[indexOf(items, id)]
        remove(items, id)
        if (call?.['type'] !== 'function_call' || call['call_id'] === undefined) return
        const output = items.findIndex(
          (item) => item['type'] === 'function_call_output' && item['call_id'] === call['call_id'],
        )
        if (output >= 0) items.splice(output, 1)
      }
    },
  ],
  'item-delete.gone~reconnect': [
    'Deleted items are back after a reconnect.',
    ({ conversation, channel }) => {
      const deleted = memory(() => [] as Wire[])
      const { remove } = conversation
      conversation.remove = (items, id) => {
        const item = items[indexOf(items, id)]
        if (item !== undefined) deleted(items).push(item)
        remove(items, id)
      }
      const { onConnect } = channel
      channel.onConnect = (session) => {
        onConnect(session)
        session.items.push(...deleted(session.items).splice(0))
      }
    },
  ],
  'isolation.items-not-shared~same-id': [
    'Of items with one id in two sessions, the later one is retrieved with the content of the first.',
    ({ conversation }) => {
      const first = new Map<unknown, Wire>()
      const { stored, find } = conversation
      conversation.stored = (item, id) => {
        const made = stored(item, id)
        if (!first.has(id)) first.set(id, made)
        return made
      }
      conversation.find = (items, id) => {
        const item = find(items, id)
        return item === undefined ? undefined : (first.get(id) ?? item)
      }
    },
  ],
  'isolation.assets-not-shared~same-id': [
    'Of added speech texts with one id in two sessions, the later one is spoken with the text of the first.',
    ({ registry }) => {
      const first = new Map<string, Wire>()
      const { registersAsset, pick } = registry
      registry.registersAsset = (store, kind, asset, session) => {
        const key = `${session.account.workspace} ${kind} ${String(asset['asset_id'])}`
        if (!first.has(key)) first.set(key, asset)
        return registersAsset(store, kind, asset, session)
      }
      registry.pick = (session, kind, id) => {
        const own = pick(session, kind, id)
        return own === undefined ? undefined : (first.get(`${session.account.workspace} ${kind} ${id}`) ?? own)
      }
    },
  ],
  'asset-add.additive~many': [
    'With more than ten assets of a kind the oldest one is forgotten.',
    ({ registry }) => {
      const order = memory(() => [] as string[])
      const { registersAsset } = registry
      registry.registersAsset = (store, kind, asset, session) => {
        const known = order(store[kind])
        if (known.length === 0) known.push(...store[kind].keys())
        known.push(String(asset['asset_id']))
        for (const oldest of known.splice(0, known.length - 10)) store[kind].delete(oldest)
        return registersAsset(store, kind, asset, session)
      }
    },
  ],
  'avatar-add.none-registered-on-invalid~itself': [
    'An avatar with an invalid image is refused, and registered without that image.',
    ({ registry }) => {
      registry.keptOfRefusedAvatars = (given, session) => {
        const fresh = given.filter((one) => !session.avatars.some((known) => known['avatar_id'] === one['avatar_id']))
        return fresh.flatMap((avatar) => withoutInvalidImages(avatar))
      }
    },
  ],
})

const validImage = (image: unknown): boolean => {
  const { source_image_id: id, url, media_type: type } = wireAt({ image }, 'image')
  return [id, url].every((value) => typeof value === 'string' && value !== '') && String(type).startsWith('image/')
}

/** The avatar with its valid images, where it has others. */
function withoutInvalidImages(avatar: Wire): Wire[] {
  const visual = wireAt(avatar, 'visual')
  const images = visual['source_images']
  if (typeof avatar['avatar_id'] !== 'string' || avatar['avatar_id'] === '' || !Array.isArray(images)) return []
  const valid = images.filter(validImage)
  return valid.length === images.length ? [] : [{ ...avatar, visual: { ...visual, source_images: valid } }]
}
