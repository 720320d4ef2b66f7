import type { Override } from '#target/behaviour/behaviour'
import type { AssetsInput } from '#target/behaviour/validations/assets'
import { validation } from '#target/behaviour/validations/input-validation'
import type { AdditionInput } from '#target/behaviour/validations/tables'
import { beforeConnect, withhold, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { add, around, drop, except, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt, objectsAt, wiresOf } from '#target/wire'
import { idsOf, isKnown, KINDS } from '../../tools/assets.ts'
import { vocalOf } from '../../tools/control-channel.ts'
import { atEnds, fewerAssets } from '../../tools/ends.ts'
import { refuseEvent } from '../../tools/refusals.ts'
import { defectsOf } from '../../tools/table.ts'

const of = (input: AssetsInput, kind: string): JsonObject[] => objectsAt(input.given, kind)

const refuse = (broken: (input: AssetsInput) => boolean): Override => refuseEvent('validations.addAssets', broken)

const isWhole = (kind: string, asset: JsonObject): boolean => {
  const content = kind === 'images' || kind === 'audio' ? asset['url'] : asset['text']
  return (
    typeof asset['asset_id'] === 'string' && asset['asset_id'] !== '' && typeof content === 'string' && content !== ''
  )
}

/** Registers a part of a refused `asset.add`. */
const keeping = (keeps: (list: JsonObject[], kind: string, session: Session) => JsonObject[]): Override =>
  set('registry.keptOfRefusedAssets', (given, session) =>
    Object.fromEntries(KINDS.map((kind) => [kind, keeps(objectsAt(given, kind), kind, session)])),
  )

const twiceIn = (given: unknown, kind: string): boolean => new Set(idsOf(given, kind)).size < idsOf(given, kind).length

const existing = (accepts: (input: AdditionInput) => boolean): Override =>
  except('validations.assetAddition', 'asset-id-taken', (input) => accepts(input))

const kindName = (kind: string): (typeof KINDS)[number] => KINDS.find((one) => one === kind) ?? 'images'

const isPlanned = (session: Session, id: string): boolean =>
  KINDS.some((kind) => idsOf(session.plan.assets, kind).includes(id))

const idsAt = (assets: JsonObject | undefined, kind: string): readonly unknown[] =>
  objectsAt(assets ?? {}, kind).map((one) => one['asset_id'])

const replaceAfterReconnect: Override = remembering(() => {
  const loose = memory(() => new Set<unknown>())
  return [
    beforeConnect((session) => {
      const given = new Set(Object.keys(session.plan.assets ?? {}).flatMap((kind) => idsAt(session.plan.assets, kind)))
      for (const store of Object.values(session.assets))
        for (const id of store.keys()) if (!given.has(id)) loose(session).add(id)
    }),
    around('validations.assetAddition.asset-id-taken.broken', (broken) => (input) => {
      const assets = objectAt(input.event, 'assets')
      const fixed = Object.keys(assets).map((kind) => {
        const left = objectsAt(assets, kind).filter((one) => !loose(input.session).has(one['asset_id']))
        return [kind, left] as const
      })
      return broken({ ...input, event: { ...input.event, assets: Object.fromEntries(fixed) } })
    }),
  ]
})

const acceptedRows = { images: 'image-accepted', audio: 'audio-accepted', visual_prompts: 'visual-prompt-accepted' }

export const assetAddDefects = defectsOf('control-channel.asset-add', {
  'image-accepted: Images are refused.': refuse((input) =>
    of(input, 'images').some((asset) => asset['mime_type'] === undefined),
  ),
  'image-mime-type-accepted: Images must have no type.': refuse((input) =>
    of(input, 'images').some((asset) => asset['mime_type'] !== undefined),
  ),
  'audio-accepted: Audio needs a type.': refuse((input) =>
    of(input, 'audio').some((asset) => asset['mime_type'] === undefined),
  ),
  'audio-mime-type-accepted: Audio must have no type.': refuse((input) =>
    of(input, 'audio').some((asset) => asset['mime_type'] !== undefined),
  ),
  'visual-prompt-accepted: Visual prompts need a format.': refuse((input) =>
    of(input, 'visual_prompts').some((asset) => asset['format'] === undefined),
  ),
  ...Object.fromEntries(
    (['images', 'audio', 'visual_prompts'] as const).map((kind) => [
      `${acceptedRows[kind]}~none: Nothing of ${kind} is ever taken.`,
      refuse((input) => of(input, kind).length > 0),
    ]),
  ),
  'format-text-accepted: The format `text` is unknown.': refuse((input) =>
    KINDS.some((kind) => of(input, kind).some((asset) => asset['format'] === 'text')),
  ),
  'format-text-accepted~visual-prompt: A visual prompt with a format is refused.': add(
    'validations.addAssets',
    'visual-prompt-format',
    validation('4.4', 'assets.visual_prompts.format', ({ given }) =>
      objectsAt(given, 'visual_prompts').some((asset) => asset['format'] !== undefined),
    ),
  ),
  'format-ssml-accepted: The format `ssml` is unknown.': refuse((input) =>
    KINDS.some((kind) => of(input, kind).some((asset) => asset['format'] === 'ssml')),
  ),
  'several-kinds-accepted: One kind at a time.': refuse(
    (input) => KINDS.filter((kind) => of(input, kind).length > 0).length > 1,
  ),
  'several-of-a-kind-accepted: One asset of a kind at a time.': refuse((input) =>
    KINDS.some((kind) => of(input, kind).length > 1),
  ),
  'missing-assets-rejected: Without assets nothing is added.': drop('validations.addAssets', 'assets-missing'),
  'no-kinds-rejected: An empty addition adds nothing.': except(
    'validations.addAssets',
    'assets-none',
    (input) => !(Object.keys(Object(input.given)).length > 0),
  ),
  'empty-arrays-rejected: Empty arrays add nothing.': except(
    'validations.addAssets',
    'assets-none',
    (input) => Object.keys(Object(input.given)).length !== 0,
  ),
  ...Object.fromEntries(
    (['images', 'audio', 'visual_prompts'] as const).map((kind) => [
      `existing-rejected~${kind.replace('_', '-')}: What is there of ${kind} may be replaced.`,
      existing(({ event, session }) => idsOf(event['assets'], kind).some((id) => session.assets[kind].has(String(id)))),
    ]),
  ),
  'existing-rejected: An id that exists is passed over.': [
    drop('validations.assetAddition', 'asset-id-taken'),
    set('registry.registersAsset', (_store, _kind, asset, session) => !isKnown(session, asset['asset_id'])),
  ],
  'duplicate-id-in-event-rejected: The last of two assets with one id counts.': except(
    'validations.addAssets',
    'asset-id-repeated',
    ({ given }) => KINDS.some((kind) => twiceIn(given, kind)),
  ),
  'duplicate-id-in-event-rejected~visual-prompts: The last of two visual prompts with one id counts.': except(
    'validations.addAssets',
    'asset-id-repeated',
    ({ given }) => twiceIn(given, 'visual_prompts'),
  ),
  'duplicate-id-in-event-rejected~images: The last of two images with one id counts.': except(
    'validations.addAssets',
    'asset-id-repeated',
    ({ given }) => twiceIn(given, 'images'),
  ),
  'image-url-missing-rejected: Images need no URL.': drop('validations.addAssets', 'image-url-missing'),
  'image-url-not-https-rejected: Images may come from anywhere.': drop('validations.addAssets', 'image-url-not-https'),
  'audio-url-missing-rejected: Audio needs no URL.': drop('validations.addAssets', 'audio-url-missing'),
  'audio-url-not-https-rejected: Audio may come from anywhere.': drop('validations.addAssets', 'audio-url-not-https'),
  'audio-mime-type-unknown-rejected: Audio may be of any type.': drop('validations.addAssets', 'audio-type-unknown'),
  'audio-mime-type-unknown-rejected~ogg: Audio may be of a type that may be uploaded.': except(
    'validations.addAssets',
    'audio-type-unknown',
    (input) => of(input, 'audio').every(({ mime_type }) => mime_type !== 'audio/x-flute'),
  ),
  'visual-prompt-text-missing-rejected: Visual prompts need no text.': except(
    'validations.addAssets',
    'visual-prompt-missing',
    (input) => !of(input, 'visual_prompts').some((asset) => asset['prompt'] !== undefined),
  ),
  'visual-prompt-as-prompt-rejected: Visual prompts may hold `prompt`.': except(
    'validations.addAssets',
    'visual-prompt-missing',
    (input) =>
      !of(input, 'visual_prompts').some((asset) => asset['text'] === undefined && asset['prompt'] === undefined),
  ),
  'additive: An addition forgets earlier ones of its kind.': ({ registry }) => {
    const { registersAsset } = registry
    let last: JsonObject | undefined
    const { confirmedAssets } = registry
    registry.registersAsset = (store, kind, asset, session) => {
      if (last === undefined)
        for (const one of KINDS) for (const id of store[one].keys()) if (!isPlanned(session, id)) store[one].delete(id)
      last = asset
      return registersAsset(store, kind, asset, session)
    }
    registry.confirmedAssets = (registered, given) => {
      last = undefined
      return confirmedAssets(registered, given)
    }
  },
  'additive~many: With more than ten assets of a kind the oldest one is forgotten.': around(
    'registry.registersAsset',
    (registersAsset) => {
      const order = memory(() => [] as string[])
      return (store, kind, asset, session) => {
        const known = order(store[kind])
        if (known.length === 0) known.push(...store[kind].keys())
        known.push(String(asset['asset_id']))
        for (const oldest of known.splice(0, known.length - 10)) store[kind].delete(oldest)
        return registersAsset(store, kind, asset, session)
      }
    },
  ),
  'existing-content-kept: An asset that is refused as known is replaced.': keeping((list, kind, session) =>
    list.filter(
      (asset) =>
        session.assets[kindName(kind)].has(String(asset['asset_id'])) && !isPlanned(session, String(asset['asset_id'])),
    ),
  ),
  'existing-content-kept~reconnect: After a reconnect ids that were added before can be replaced.':
    replaceAfterReconnect,
  'existing-content-kept~after-refusal: Behind a refused asset.add the next one may replace what exists.': remembering(
    () => {
      const open = memory(() => ({ once: false }))
      return [
        set('registry.keptOfRefusedAssets', (_given, session) => ((open(session).once = true), {})),
        existing(({ session }) => [open(session).once, (open(session).once = false)][0] === true),
      ]
    },
  ),
  'existing-content-kept~beside-new: A refused asset.add of several assets changes the text of those that are known.':
    set('registry.keptOfRefusedAssets', (given, session) => {
      if (Object.values(given).flatMap((list) => wiresOf(list)).length < 2) return {}
      return {
        speech_text: objectsAt(given, 'speech_text').filter(
          ({ asset_id: id, text }) =>
            typeof id === 'string' && session.assets.speech_text.has(id) && typeof text === 'string',
        ),
      }
    }),
  'existing-not-confirmed-anew: A known asset is confirmed with its new content and kept as it was.': [
    drop('validations.assetAddition', 'asset-id-taken'),
    set('registry.registersAsset', (_store, _kind, asset, session) => !isKnown(session, asset['asset_id'])),
    set('registry.confirmedAssets', (_registered, given) =>
      Object.fromEntries(KINDS.map((kind) => [kind, objectsAt(given, kind)])),
    ),
  ],
  'create-time-content-kept: An asset of the creation is replaced, though refused.': keeping((list, _kind, session) =>
    list.filter((asset) => isPlanned(session, String(asset['asset_id']))),
  ),
  'none-registered-on-invalid: Assets before an invalid one are kept.': keeping((list, kind, session) => {
    const bad = list.findIndex((asset) => !isWhole(kind, asset))
    return list.slice(0, Math.max(0, bad)).filter((asset) => !isKnown(session, asset['asset_id']))
  }),
  'none-registered-after-invalid: Assets after an invalid one are kept.': keeping((list, kind, session) => {
    const bad = list.findIndex((asset) => !isWhole(kind, asset))
    return bad < 0
      ? []
      : list.slice(bad + 1).filter((asset) => isWhole(kind, asset) && !isKnown(session, asset['asset_id']))
  }),
  'none-registered-across-kinds: Kinds without an invalid asset are kept.': keeping((list, kind, session) =>
    list.every((asset) => isWhole(kind, asset) && !isKnown(session, asset['asset_id'])) ? list : [],
  ),
  'none-registered-beside-existing: New assets beside a known one are kept.': keeping((list, kind, session) =>
    list.every((asset) => isWhole(kind, asset)) ? list.filter((asset) => !isKnown(session, asset['asset_id'])) : [],
  ),
  'usable-once-confirmed~ssml: A text of SSML is registered, and refused when it is to be spoken.': refuseEvent(
    'validations.responseCreate',
    (input) =>
      input.session.assets.speech_text.get(String(vocalOf(input)['speech_text_asset_id']))?.['format'] === 'ssml',
  ),
  'usable-once-confirmed~mode: A session that changes its mode forgets its assets.': around(
    'update.next',
    (next) => (current, resolution, session) => {
      if (resolution.mode !== current.mode) for (const known of Object.values(session.assets)) known.clear()
      return next(current, resolution, session)
    },
  ),
  'usable-once-confirmed: An asset is known a second after its confirmation.': remembering(() => {
    const since = memory(() => Date.now())
    return [
      around(
        'registry.registersAsset',
        (registersAsset) => (store, kind, asset, session) =>
          since(asset) > 0 && registersAsset(store, kind, asset, session),
      ),
      refuseEvent('validations.responseCreate', ({ response, session }) => {
        const vocal = objectAt(objectAt(response, 'script'), 'vocal')
        const asset = session.assets.speech_text.get(textOf(vocal['speech_text_asset_id']) ?? '')
        return asset !== undefined && !isPlanned(session, String(asset['asset_id'])) && Date.now() - since(asset) < 1000
      }),
    ]
  }),
  'confirmed: Additions are not confirmed.': withhold('asset.added'),
  'confirmed-once: Additions are confirmed twice.': twice('asset.added'),
  'rejected-not-confirmed: A refused addition is confirmed, too.': set('registry.confirmsRefused', true),
  ...atEnds('asset', 'validations.addAssets', fewerAssets, {
    'audio-url-missing-rejected': ['audio-url-missing', 'a URL'],
    'audio-url-not-https-rejected': ['audio-url-not-https', 'https'],
    'audio-mime-type-unknown-rejected': ['audio-type-unknown', 'its type'],
    'visual-prompt-text-missing-rejected': ['visual-prompt-missing', 'a text'],
    'image-url-missing-rejected': ['image-url-missing', 'a URL'],
    'image-url-not-https-rejected': ['image-url-not-https', 'https'],
  }),
})
