import { EventRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { ASSET_KINDS, type Session } from '../sessions/session.ts'
import { type JsonObject, objectAt, objectsAt, wiresOf } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { answerEvent } from './emit.ts'
import { hold } from './hold.ts'

/** Registers what an event brought; gives the registered assets by kind. */
function registerAssets(service: Service, session: Session, given: JsonObject): Record<string, JsonObject[]> {
  const { registry } = service.behaviour
  const registered: Record<string, JsonObject[]> = {}
  for (const kind of ASSET_KINDS) {
    const wanted = objectsAt(given, kind).filter((asset) =>
      registry.registersAsset(session.assets, kind, asset, session),
    )
    for (const asset of wanted) session.assets[kind].set(String(asset['asset_id']), asset)
    registered[kind] = wanted
  }
  return registered
}

const assetsByKind = (given: JsonObject): Record<string, JsonObject[]> =>
  Object.fromEntries(ASSET_KINDS.map((kind) => [kind, objectsAt(given, kind)]))

/** 4.4 `asset.add`: "At least one asset overall. Additive … If any asset is invalid none is registered." */
export function addAssets(service: Service, connection: Connection, event: JsonObject): void {
  const { validations, limits, registry } = service.behaviour
  const { session } = connection
  const given = objectAt(event, 'assets')
  try {
    hold(validations.addAssets, { given: event['assets'], limits })
    hold(validations.assetAddition, { event, session, limits })
  } catch (error) {
    if (error instanceof EventRefusal) registerAssets(service, session, registry.keptOfRefusedAssets(given, session))
    if (registry.confirmsRefused) answerEvent(service, connection, 'asset.added', { assets: assetsByKind(given) })
    throw error
  }
  const registered = registerAssets(service, session, given)
  answerEvent(service, connection, 'asset.added', { assets: registry.confirmedAssets(registered, given) })
}

function registerAvatars(service: Service, session: Session, given: JsonObject[]): JsonObject[] {
  const { registry } = service.behaviour
  const wanted = given
    .filter((avatar) => registry.registersAvatar(avatar, session))
    .map((avatar) => registry.effectiveAvatar(avatar))
  for (const avatar of wanted) {
    const index = session.avatars.findIndex((known) => known['avatar_id'] === avatar['avatar_id'])
    const known = session.avatars[index]
    if (known === undefined) session.avatars.push(avatar)
    else session.avatars[index] = registry.mergedAvatar(known, avatar)
  }
  return wanted
}

/** 4.4 `avatar.add`: additive and atomic. */
export function addAvatars(service: Service, connection: Connection, event: JsonObject): void {
  const { validations, limits, registry } = service.behaviour
  const { session } = connection
  const given = wiresOf(event['avatars'])
  try {
    hold(validations.addAvatars, { given: event['avatars'], avatars: given, limits })
    hold(validations.avatarAddition, { event, session, limits })
  } catch (error) {
    if (error instanceof EventRefusal) registerAvatars(service, session, registry.keptOfRefusedAvatars(given, session))
    if (registry.confirmsRefused) answerEvent(service, connection, 'avatar.added', { avatars: given })
    throw error
  }
  const registered = registerAvatars(service, session, given)
  session.state = registry.stateAfterAdd(session, registered)
  const avatars = registry.confirmedAvatars(registered, given, session)
  answerEvent(service, connection, 'avatar.added', { avatars })
}
