import type { Override } from '#target/behaviour/behaviour'
import { drop, except } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { objectsAt } from '#target/wire'
import { KINDS } from '../../../tools/control-channel.ts'
import { atEnds, fewerAssets } from '../../../tools/ends.ts'
import { defectsOf } from '../../../tools/table.ts'

type Kind = (typeof KINDS)[number]

const idsOf = (given: unknown, kind: Kind): unknown[] => objectsAt(given, kind).map(({ asset_id }) => asset_id)

/** Lets an id stand twice in an event, though not in one array. */
const allowAcross = (...kinds: readonly Kind[]): Override =>
  except('validations.addAssets', 'asset-id-repeated', ({ given }) => {
    const ids = kinds.flatMap((kind) => [...new Set(idsOf(given, kind))])
    return new Set(ids).size < ids.length
  })

/** Lets an asset of one of these kinds have an id that one of another kind has. */
const allowOfOther = (...kinds: readonly Kind[]): Override =>
  except('validations.assetAddition', 'asset-id-taken', ({ event, session }) =>
    kinds.some((kind) => idsOf(event['assets'], kind).some((id) => isOfOther(session, kind, String(id)))),
  )

const isOfOther = (session: Session, kind: Kind, id: string): boolean =>
  !session.assets[kind].has(id) && KINDS.some((other) => session.assets[other].has(id))

const ofKind = (kind: Kind, validation: 'asset-id-missing' | 'asset-id-empty', id: unknown): Override =>
  except('validations.addAssets', validation, ({ given }) => idsOf(given, kind).includes(id))

export const assetAddDefects = defectsOf('control-channel.asset-add', {
  'id-across-kinds-rejected: Kinds have ids of their own.': allowAcross(...KINDS),
  'id-across-kinds-rejected~audio: Audio and visual prompts have ids of their own.': allowAcross(
    'audio',
    'visual_prompts',
  ),
  'id-of-other-kind-rejected: An id of another kind is free.': allowOfOther(...KINDS),
  'id-of-other-kind-rejected~visual-prompt: A visual prompt may have the id of another asset.':
    allowOfOther('visual_prompts'),
  'id-of-other-kind-rejected~audio: Audio may have the id of another asset.': allowOfOther('audio'),
  'id-missing-rejected: Assets need no id.': drop('validations.addAssets', 'asset-id-missing'),
  'id-missing-rejected~image: An image needs no id.': ofKind('images', 'asset-id-missing', undefined),
  'id-missing-rejected~audio: Audio needs no id.': ofKind('audio', 'asset-id-missing', undefined),
  'id-missing-rejected~visual-prompt: A visual prompt needs no id.': ofKind(
    'visual_prompts',
    'asset-id-missing',
    undefined,
  ),
  'id-empty-rejected: An empty id is accepted.': drop('validations.addAssets', 'asset-id-empty'),
  'id-empty-rejected~audio: Audio may have an empty id.': ofKind('audio', 'asset-id-empty', ''),
  ...atEnds('asset', 'validations.addAssets', fewerAssets, {
    'id-missing-rejected': ['asset-id-missing', 'its id'],
    'id-empty-rejected': ['asset-id-empty', 'an empty id'],
  }),
})
