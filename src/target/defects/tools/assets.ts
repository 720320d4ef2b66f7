import type { Session } from '#target/sessions/session'
import { isWire, objectsAt, wiresOf } from '#target/wire'

export const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts'] as const

export const idsOf = (given: unknown, kind: string): unknown[] =>
  objectsAt(given, kind).map((asset) => asset['asset_id'])

/** What an object of the language has without being given it. */
export const isInherited = (id: unknown): boolean => typeof id === 'string' && id in {}

export const isKnown = (session: Session, id: unknown): boolean =>
  KINDS.some((kind) => session.assets[kind].has(String(id)))

export const idsIn = (assets: unknown): string[] =>
  isWire(assets)
    ? Object.values(assets)
        .flatMap((list) => wiresOf(list))
        .flatMap(({ asset_id: id }) => (typeof id === 'string' ? [id] : []))
    : []
