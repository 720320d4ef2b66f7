import { validation } from '#target/behaviour/validations/input-validation'
import { memory } from '#target/overrides/memory'
import { add, remembering, set } from '#target/overrides/operators'
import { objectsAt } from '#target/wire'
import { idsIn, idsOf, isKnown, KINDS } from '../../../tools/assets.ts'
import { refuseEvent } from '../../../tools/refusals.ts'
import { defectsOf } from '../../../tools/table.ts'

export const assetAddFreeDefects = defectsOf('control-channel.asset-add', {
  'free-after-rejection: Ids of a refused addition are used up.': remembering(() => {
    const burnt = memory(() => new Set<unknown>())
    return [
      set('registry.keptOfRefusedAssets', (given, session) => {
        for (const kind of KINDS) for (const id of idsOf(given, kind)) if (!isKnown(session, id)) burnt(session).add(id)
        return {}
      }),
      refuseEvent('validations.assetAddition', ({ event, session }) =>
        KINDS.some((kind) => idsOf(event['assets'], kind).some((id) => burnt(session).has(id))),
      ),
    ]
  }),
  'free-after-rejection~taken: The ids of a refused asset.add cannot be used any more.': remembering(() => {
    const taken = memory(() => new Set<string>())
    return [
      set('registry.keptOfRefusedAssets', (given, session) => {
        for (const id of idsIn(given)) taken(session).add(id)
        return {}
      }),
      add(
        'validations.assetAddition',
        'asset-id-refused-before',
        validation('4.4', 'assets.asset_id', ({ event, session }) =>
          idsIn(event['assets']).some((id) => taken(session).has(id)),
        ),
      ),
    ]
  }),
  'free-after-rejection~other-kind: Images and audio beside an invalid asset of another kind are kept.': set(
    'registry.keptOfRefusedAssets',
    (given, session) =>
      Object.fromEntries(
        (['images', 'audio'] as const).map((kind) => {
          const list = objectsAt(given, kind)
          const isFine = list.every(({ asset_id: id, url }) => typeof url === 'string' && !isKnown(session, id))
          return [kind, isFine ? list : []]
        }),
      ),
  ),
  ...Object.fromEntries(
    (['images', 'audio', 'visual_prompts'] as const).map((kind) => [
      `free-after-rejection~${kind.replace('_', '-')}: Of a refused addition the first of ${kind} is kept.`,
      set('registry.keptOfRefusedAssets', (given, session) => ({
        [kind]: objectsAt(given, kind)
          .slice(0, 1)
          .filter((asset) => !isKnown(session, asset['asset_id'])),
      })),
    ]),
  ),
})
