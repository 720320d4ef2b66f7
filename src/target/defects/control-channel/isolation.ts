import { around, drop, except, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const neighbours = (session: Session, all: Iterable<Session>): Session[] =>
  [...all].filter((other) => other.account.workspace === session.account.workspace)

export const isolationDefects = defectsOf('control-channel.isolation', {
  'items-not-shared: Items of a workspace are found from every session.': remembering(() => {
    const known = new Map<string, JsonObject>()
    return [
      around('conversation.stored', (stored) => (item, id) => {
        const kept = stored(item, id)
        known.set(id, kept)
        return kept
      }),
      around('conversation.find', (find) => (items, id) => find(items, id) ?? known.get(String(id))),
      drop('validations.itemRetrieve', 'item-unknown'),
    ]
  }),
  'items-not-shared~character: A session from a character begins with the items of the one before.': around(
    'channel.onConnect',
    (onConnect) => {
      const latest = new Map<string, Session>()
      return (session) => {
        onConnect(session)
        const { characterId } = session.plan
        if (characterId === undefined || session.everConnected) return
        session.items.push(...(latest.get(characterId)?.items ?? []))
        latest.set(characterId, session)
      }
    },
  ),
  'items-not-shared~same-id: Of items with one id in two sessions, the later one is retrieved with the content of the first.':
    remembering(() => {
      const first = new Map<unknown, JsonObject>()
      return [
        around('conversation.stored', (stored) => (item, id) => {
          const made = stored(item, id)
          if (!first.has(id)) first.set(id, made)
          return made
        }),
        around('conversation.find', (find) => (items, id) => {
          const item = find(items, id)
          return item === undefined ? undefined : (first.get(id) ?? item)
        }),
      ]
    }),
  'events-not-shared: Every session of a workspace hears every event.': set('channel.listeners', neighbours),
  'assets-not-shared: Assets added in one session are known in all.': remembering(() => {
    const shared = new Map<string, JsonObject>()
    return [
      around('registry.registersAsset', (registersAsset) => (store, kind, asset, session) => {
        shared.set(`${kind} ${String(asset['asset_id'])}`, asset)
        return registersAsset(store, kind, asset, session)
      }),
      around('registry.pick', (pick) => (session, kind, id) => pick(session, kind, id) ?? shared.get(`${kind} ${id}`)),
      except('validations.responseCreate', 'speech-asset-unknown', (input) =>
        [...shared.keys()].some((key) => JSON.stringify(input.response).includes(`"${key.split(' ')[1]}"`)),
      ),
    ]
  }),
  'assets-not-shared~same-id: Of added speech texts with one id in two sessions, the later one is spoken with the text of the first.':
    remembering(() => {
      const first = new Map<string, JsonObject>()
      return [
        around('registry.registersAsset', (registersAsset) => (store, kind, asset, session) => {
          const key = `${session.account.workspace} ${kind} ${String(asset['asset_id'])}`
          if (!first.has(key)) first.set(key, asset)
          return registersAsset(store, kind, asset, session)
        }),
        around('registry.pick', (pick) => (session, kind, id) => {
          const own = pick(session, kind, id)
          return own === undefined ? undefined : (first.get(`${session.account.workspace} ${kind} ${id}`) ?? own)
        }),
      ]
    }),
})
