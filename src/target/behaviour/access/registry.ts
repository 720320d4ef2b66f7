import type { AssetKind, AssetStore, Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectsAt } from '#target/wire'

type AssetsByKind = Record<string, JsonObject[]>

/** 4.4 `asset.add` and `avatar.add`: additive registries. */
export const registry = () => ({
  /** Arrays of a create that hold assets of a kind; it knows no images (2.4). */
  initial: (assets: JsonObject | undefined, kind: AssetKind): JsonObject[] =>
    kind === 'images' ? [] : objectsAt(assets, kind),
  /** The asset that a script names. */
  pick: (session: Session, kind: AssetKind, id: string): JsonObject | undefined => session.assets[kind].get(id),
  /** The text that an asset stands for; the visual prompt's field differs between create and `asset.add` (2.4). */
  content: (asset: JsonObject | undefined): string => textOf(asset?.['text']) ?? textOf(asset?.['prompt']) ?? '',
  /** "If any asset is invalid none is registered": what is kept of a refused event. */
  keptOfRefusedAssets: (_given: JsonObject, _session: Session): JsonObject => ({}),
  keptOfRefusedAvatars: (_given: JsonObject[], _session: Session): JsonObject[] => [],
  /** Whether a refused event is confirmed, too. */
  confirmsRefused: false,
  /** Which assets an accepted event registers. */
  registersAsset: (_store: AssetStore, _kind: AssetKind, _asset: JsonObject, _session: Session): boolean => true,
  registersAvatar: (_avatar: JsonObject, _session: Session): boolean => true,
  /** What is kept where the avatar is known already. */
  mergedAvatar: (_known: JsonObject, added: JsonObject): JsonObject => added,
  /** What `asset.added` and `avatar.added` show. */
  confirmedAssets: (registered: AssetsByKind, _given: JsonObject): AssetsByKind => registered,
  confirmedAvatars: (registered: JsonObject[], _given: JsonObject[], _session: Session): JsonObject[] => registered,
  /** "Added avatars do not become active; select with `session.update`." */
  stateAfterAdd: (session: Session, _added: JsonObject[]) => session.state,
  /** The effective definition: a session TTS "takes precedence over every per-avatar voice" (2.3). */
  effectiveAvatar: (avatar: JsonObject): JsonObject => avatar,
})
