import { ASSET_KINDS, type AssetKind, type AssetStore, type Session } from '../sessions/session.ts'
import { textOf, type Wire, wiresAt } from '../wire.ts'

/** 4.4 `asset.add` and `avatar.add`: additive registries. */
export const registry = () => ({
  /** Arrays of a create that hold assets of a kind; it knows no images (2.4). */
  initial: (assets: Wire | undefined, kind: AssetKind): Wire[] => (kind === 'images' ? [] : wiresAt(assets, kind)),
  /** The text that an asset stands for; the visual prompt's field differs between create and `asset.add` (2.4). */
  content: (asset: Wire | undefined): string => textOf(asset?.['text']) ?? textOf(asset?.['prompt']) ?? '',
  /** "If any asset is invalid none is registered": what is kept of a refused event. */
  keptOfRefusedAssets: (_given: Wire): Wire => ({}),
  keptOfRefusedAvatars: (_given: Wire[]): Wire[] => [],
  /** Which assets an accepted event registers. */
  registersAsset: (_store: AssetStore, _kind: AssetKind, _asset: Wire): boolean => true,
  registersAvatar: (_avatars: Wire[], _avatar: Wire): boolean => true,
  /** "Added avatars do not become active; select with `session.update`." */
  activeAfterAdd: (session: Session, _added: Wire[]): string => session.state.activeAvatarId,
  /** The effective definition: a session TTS "takes precedence over every per-avatar voice" (2.3). */
  effectiveAvatar: (avatar: Wire): Wire => avatar,
  kinds: ASSET_KINDS,
})
