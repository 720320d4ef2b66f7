import type { Behaviour } from '#target/behaviour/behaviour'
import type { AssetsInput } from '#target/behaviour/rules/assets'
import type { AdditionInput } from '#target/behaviour/rules/tables'
import { waive } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, mute, refuseEvent, twice } from '../tools.ts'

const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts'] as const
const of = (input: AssetsInput, kind: string): Wire[] => wiresAt(input.given, kind)
const idsOf = (given: unknown, kind: string): unknown[] => wiresAt(given, kind).map((asset) => asset['asset_id'])
const refuse = (b: Behaviour, broken: (input: AssetsInput) => boolean): void => refuseEvent(b.rules.addAssets, broken)

const isWhole = (kind: string, asset: Wire): boolean => {
  const content = kind === 'images' || kind === 'audio' ? asset['url'] : asset['text']
  return (
    typeof asset['asset_id'] === 'string' && asset['asset_id'] !== '' && typeof content === 'string' && content !== ''
  )
}
const known = (session: Session, id: unknown): boolean => KINDS.some((kind) => session.assets[kind].has(String(id)))

/** Registers a part of a refused `asset.add`. */
const keeping = ({ registry }: Behaviour, keeps: (list: Wire[], kind: string, session: Session) => Wire[]): void => {
  registry.keptOfRefusedAssets = (given, session) =>
    Object.fromEntries(KINDS.map((kind) => [kind, keeps(wiresAt(given, kind), kind, session)]))
}

const acceptDefects = defectsOf('control-channel', {
  'asset-add.image-accepted': [
    'Images are refused.',
    (b) => refuse(b, (input) => of(input, 'images').some((asset) => asset['mime_type'] === undefined)),
  ],
  'asset-add.image-mime-type-accepted': [
    'Images must have no type.',
    (b) => refuse(b, (input) => of(input, 'images').some((asset) => asset['mime_type'] !== undefined)),
  ],
  'asset-add.audio-accepted': [
    'Audio needs a type.',
    (b) => refuse(b, (input) => of(input, 'audio').some((asset) => asset['mime_type'] === undefined)),
  ],
  'asset-add.audio-mime-type-accepted': [
    'Audio must have no type.',
    (b) => refuse(b, (input) => of(input, 'audio').some((asset) => asset['mime_type'] !== undefined)),
  ],
  'asset-add.speech-text-accepted': [
    'Speech texts need a format.',
    (b) => refuse(b, (input) => of(input, 'speech_text').some((asset) => asset['format'] === undefined)),
  ],
  'asset-add.visual-prompt-accepted': [
    'Visual prompts need a format.',
    (b) => refuse(b, (input) => of(input, 'visual_prompts').some((asset) => asset['format'] === undefined)),
  ],
  'asset-add.format-text-accepted': [
    'The format `text` is unknown.',
    (b) => refuse(b, (input) => KINDS.some((kind) => of(input, kind).some((asset) => asset['format'] === 'text'))),
  ],
  'asset-add.format-ssml-accepted': [
    'The format `ssml` is unknown.',
    (b) => refuse(b, (input) => KINDS.some((kind) => of(input, kind).some((asset) => asset['format'] === 'ssml'))),
  ],
  'asset-add.several-kinds-accepted': [
    'One kind at a time.',
    (b) => refuse(b, (input) => KINDS.filter((kind) => of(input, kind).length > 0).length > 1),
  ],
  'asset-add.several-of-a-kind-accepted': [
    'One asset of a kind at a time.',
    (b) => refuse(b, (input) => KINDS.some((kind) => of(input, kind).length > 1)),
  ],
})

/** Lets an id stand twice in an event. */
const allowTwice = ({ rules }: Behaviour, allows: (given: unknown) => boolean): void => {
  const rule = rules.addAssets['asset-id-repeated']
  const { broken } = rule
  rule.broken = (input) => broken(input) && !allows(input.given)
}
const twiceInArray = (given: unknown): boolean =>
  KINDS.some((kind) => new Set(idsOf(given, kind)).size < idsOf(given, kind).length)

/** The kinds under which an id is known. */
const kindsOf = (session: Session, id: unknown): string[] =>
  KINDS.filter((kind) => session.assets[kind].has(String(id)))

const existing = ({ rules }: Behaviour, accepts: (input: AdditionInput) => boolean): void => {
  const rule = rules.assetAddition['asset-id-taken']
  const { broken } = rule
  rule.broken = (input) => broken(input) && !accepts(input)
}

const refuseDefects = defectsOf('control-channel', {
  'asset-add.missing-assets-rejected': [
    'Without assets nothing is added.',
    ({ rules }) => waive(rules.addAssets, 'assets-missing'),
  ],
  'asset-add.no-kinds-rejected': [
    'An empty addition adds nothing.',
    ({ rules }) => {
      const rule = rules.addAssets['assets-none']
      const { broken } = rule
      rule.broken = (input) => broken(input) && Object.keys(Object(input.given)).length > 0
    },
  ],
  'asset-add.empty-arrays-rejected': [
    'Empty arrays add nothing.',
    ({ rules }) => {
      const rule = rules.addAssets['assets-none']
      const { broken } = rule
      rule.broken = (input) => broken(input) && Object.keys(Object(input.given)).length === 0
    },
  ],
  'asset-add.existing-rejected': [
    'An id that exists is passed over.',
    (b) => {
      waive(b.rules.assetAddition, 'asset-id-taken')
      b.registry.registersAsset = (_store, _kind, asset, session) => !known(session, asset['asset_id'])
    },
  ],
  'asset-add.duplicate-id-in-event-rejected': [
    'The last of two assets with one id counts.',
    (b) => allowTwice(b, twiceInArray),
  ],
  'asset-add.id-across-kinds-rejected': [
    'Kinds have ids of their own.',
    (b) => allowTwice(b, (given) => !twiceInArray(given)),
  ],
  'asset-add.id-of-other-kind-rejected': [
    'An id of another kind is free.',
    (b) =>
      existing(b, ({ event, session }) =>
        KINDS.every((kind) => idsOf(event['assets'], kind).every((id) => !kindsOf(session, id).includes(kind))),
      ),
  ],
  'asset-add.id-missing-rejected': ['Assets need no id.', ({ rules }) => waive(rules.addAssets, 'asset-id-missing')],
  'asset-add.id-empty-rejected': ['An empty id is accepted.', ({ rules }) => waive(rules.addAssets, 'asset-id-empty')],
  'asset-add.image-url-missing-rejected': [
    'Images need no URL.',
    ({ rules }) => waive(rules.addAssets, 'image-url-missing'),
  ],
  'asset-add.image-url-not-https-rejected': [
    'Images may come from anywhere.',
    ({ rules }) => waive(rules.addAssets, 'image-url-not-https'),
  ],
  'asset-add.audio-url-missing-rejected': [
    'Audio needs no URL.',
    ({ rules }) => waive(rules.addAssets, 'audio-url-missing'),
  ],
  'asset-add.audio-url-not-https-rejected': [
    'Audio may come from anywhere.',
    ({ rules }) => waive(rules.addAssets, 'audio-url-not-https'),
  ],
  'asset-add.audio-mime-type-unknown-rejected': [
    'Audio may be of any type.',
    ({ rules }) => waive(rules.addAssets, 'audio-type-unknown'),
  ],
  'asset-add.speech-text-missing-rejected': [
    'Speech texts need no text.',
    ({ rules }) => waive(rules.addAssets, 'speech-text-missing'),
  ],
  'asset-add.visual-prompt-text-missing-rejected': [
    'Visual prompts need no text.',
    ({ rules }) => {
      const rule = rules.addAssets['visual-prompt-missing']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) && of(input, 'visual_prompts').some((asset) => asset['prompt'] !== undefined)
    },
  ],
  'asset-add.visual-prompt-as-prompt-rejected': [
    'Visual prompts may hold `prompt`.',
    ({ rules }) => {
      const rule = rules.addAssets['visual-prompt-missing']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) &&
        of(input, 'visual_prompts').some((asset) => asset['text'] === undefined && asset['prompt'] === undefined)
    },
  ],
})

const registerDefects = defectsOf('control-channel', {
  'asset-add.additive': [
    'An addition forgets earlier ones of its kind.',
    ({ registry }) => {
      const { registersAsset } = registry
      let last: Wire | undefined
      const { confirmedAssets } = registry
      registry.registersAsset = (store, kind, asset, session) => {
        if (last === undefined)
          for (const one of KINDS)
            for (const id of store[one].keys()) if (!isPlanned(session, id)) store[one].delete(id)
        last = asset
        return registersAsset(store, kind, asset, session)
      }
      registry.confirmedAssets = (registered, given) => {
        last = undefined
        return confirmedAssets(registered, given)
      }
    },
  ],
  'asset-add.existing-content-kept': [
    'An asset that is refused as known is replaced.',
    (b) =>
      keeping(b, (list, kind, session) =>
        list.filter(
          (asset) =>
            session.assets[kindName(kind)].has(String(asset['asset_id'])) &&
            !isPlanned(session, String(asset['asset_id'])),
        ),
      ),
  ],
  'asset-add.existing-not-confirmed-anew': [
    'A known asset is confirmed with its new content and kept as it was.',
    (b) => {
      waive(b.rules.assetAddition, 'asset-id-taken')
      b.registry.registersAsset = (_store, _kind, asset, session) => !known(session, asset['asset_id'])
      b.registry.confirmedAssets = (_registered, given) =>
        Object.fromEntries(KINDS.map((kind) => [kind, wiresAt(given, kind)]))
    },
  ],
  'asset-add.create-time-content-kept': [
    'An asset of the creation is replaced, though refused.',
    (b) => keeping(b, (list, _kind, session) => list.filter((asset) => isPlanned(session, String(asset['asset_id'])))),
  ],
  'asset-add.none-registered-on-invalid': [
    'Assets before an invalid one are kept.',
    (b) =>
      keeping(b, (list, kind, session) => {
        const bad = list.findIndex((asset) => !isWhole(kind, asset))
        return list.slice(0, Math.max(0, bad)).filter((asset) => !known(session, asset['asset_id']))
      }),
  ],
  'asset-add.none-registered-after-invalid': [
    'Assets after an invalid one are kept.',
    (b) =>
      keeping(b, (list, kind, session) => {
        const bad = list.findIndex((asset) => !isWhole(kind, asset))
        return bad < 0
          ? []
          : list.slice(bad + 1).filter((asset) => isWhole(kind, asset) && !known(session, asset['asset_id']))
      }),
  ],
  'asset-add.none-registered-across-kinds': [
    'Kinds without an invalid asset are kept.',
    (b) =>
      keeping(b, (list, kind, session) =>
        list.every((asset) => isWhole(kind, asset) && !known(session, asset['asset_id'])) ? list : [],
      ),
  ],
  'asset-add.none-registered-beside-existing': [
    'New assets beside a known one are kept.',
    (b) =>
      keeping(b, (list, kind, session) =>
        list.every((asset) => isWhole(kind, asset)) ? list.filter((asset) => !known(session, asset['asset_id'])) : [],
      ),
  ],
  'asset-add.free-after-rejection': [
    'Ids of a refused addition are used up.',
    (b) => {
      const burnt = memory(() => new Set<unknown>())
      b.registry.keptOfRefusedAssets = (given, session) => {
        for (const kind of KINDS) for (const id of idsOf(given, kind)) if (!known(session, id)) burnt(session).add(id)
        return {}
      }
      refuseEvent(b.rules.assetAddition, ({ event, session }) =>
        KINDS.some((kind) => idsOf(event['assets'], kind).some((id) => burnt(session).has(id))),
      )
    },
  ],
  'asset-add.usable-once-confirmed': [
    'An asset is known a second after its confirmation.',
    ({ registry, rules }) => {
      const since = memory(() => Date.now())
      const { registersAsset } = registry
      registry.registersAsset = (store, kind, asset, session) =>
        since(asset) > 0 && registersAsset(store, kind, asset, session)
      refuseEvent(rules.responseCreate, ({ response, session }) => {
        const vocal = wireAt(wireAt(response, 'script'), 'vocal')
        const asset = session.assets.speech_text.get(textOf(vocal['speech_text_asset_id']) ?? '')
        return asset !== undefined && !isPlanned(session, String(asset['asset_id'])) && Date.now() - since(asset) < 1000
      })
    },
  ],
  'asset-add.confirmed': ['Additions are not confirmed.', (b) => mute(b, 'asset.added')],
  'asset-add.confirmed-once': ['Additions are confirmed twice.', (b) => twice(b, 'asset.added')],
  'asset-add.rejected-not-confirmed': [
    'A refused addition is confirmed, too.',
    ({ registry }) => void (registry.confirmsRefused = true),
  ],
})

const kindName = (kind: string): (typeof KINDS)[number] => KINDS.find((one) => one === kind) ?? 'images'
const isPlanned = (session: Session, id: string): boolean =>
  KINDS.some((kind) => idsOf(session.plan.assets, kind).includes(id))

export const assetDefects = [...acceptDefects, ...refuseDefects, ...registerDefects]
