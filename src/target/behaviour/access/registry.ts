import type { AssetKind, AssetStore, Session } from '#target/sessions/session'
import { textOf, type Wire, wiresAt } from '#target/wire'

type AssetsByKind = Record<string, Wire[]>

/** 4.4 `asset.add` and `avatar.add`: additive registries. */
export const registry = () => ({
  /** Arrays of a create that hold assets of a kind; it knows no images (2.4). */
  initial: (assets: Wire | undefined, kind: AssetKind): Wire[] => (kind === 'images' ? [] : wiresAt(assets, kind)),
  /** The asset that a script names. */
  pick: (session: Session, kind: AssetKind, id: string): Wire | undefined => session.assets[kind].get(id),
  /** The text that an asset stands for; the visual prompt's field differs between create and `asset.add` (2.4). */
  content: (asset: Wire | undefined): string => textOf(asset?.['text']) ?? textOf(asset?.['prompt']) ?? '',
  /** "If any asset is invalid none is registered": what is kept of a refused event. */
  keptOfRefusedAssets: (_given: Wire, _session: Session): Wire => ({}),
  keptOfRefusedAvatars: (_given: Wire[], _session: Session): Wire[] => [],
  /** Whether a refused event is confirmed, too. */
  confirmsRefused: false,
  /** Which assets an accepted event registers. */
  registersAsset: (_store: AssetStore, _kind: AssetKind, _asset: Wire, _session: Session): boolean => true,
  registersAvatar: (_avatar: Wire, _session: Session): boolean => true,
  /** What is kept where the avatar is known already. */
  mergedAvatar: (_known: Wire, added: Wire): Wire => added,
  /** What `asset.added` and `avatar.added` show. */
  confirmedAssets: (registered: AssetsByKind, _given: Wire): AssetsByKind => registered,
  confirmedAvatars: (registered: Wire[], _given: Wire[], _session: Session): Wire[] => registered,
  /** "Added avatars do not become active; select with `session.update`." */
  stateAfterAdd: (session: Session, _added: Wire[]) => session.state,
  /** The effective definition: a session TTS "takes precedence over every per-avatar voice" (2.3). */
  effectiveAvatar: (avatar: Wire): Wire => avatar,
})
