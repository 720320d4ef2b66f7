import { change, cutAt } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { objectAt, objectsAt } from '#target/wire'
import { byIndex, onlyFirst, withExtra } from '../../tools/control-channel.ts'
import { defectsOf } from '../../tools/table.ts'

const ADDED = 'asset.added'

const emptyGone = (list: unknown): unknown => (Array.isArray(list) && list.length === 0 ? undefined : list)

const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts']

export const assetAddedDefects = defectsOf('control-channel.asset-added', {
  'assets-object: The arrays stand beside the type.': onEvent(ADDED, ({ assets, ...event }) => ({
    ...Object(assets),
    ...event,
  })),
  'images-array: Images come by index.': onEvent(ADDED, change('assets.images', byIndex)),
  'audio-array: Audio comes by index.': onEvent(ADDED, change('assets.audio', byIndex)),
  'speech-text-array: Speech texts come by index.': onEvent(ADDED, change('assets.speech_text', byIndex)),
  'visual-prompts-array: Visual prompts come by index.': onEvent(ADDED, change('assets.visual_prompts', byIndex)),
  'empty-kinds-shown: Empty arrays are left out.': KINDS.map((kind) =>
    onEvent(ADDED, change(`assets.${kind}`, emptyGone)),
  ),
  'lists-every-asset: Only the first of a kind is listed.': KINDS.map((kind) =>
    onEvent(ADDED, change(`assets.${kind}`, onlyFirst)),
  ),
  'lists-every-asset~images: Of several images only the first is listed.': onEvent(
    ADDED,
    change('assets.images', onlyFirst),
  ),
  'lists-every-asset~audio: Of several sounds only the first is listed.': onEvent(
    ADDED,
    change('assets.audio', onlyFirst),
  ),
  'lists-every-asset~visual-prompts: Of several visual prompts only the first is listed.': onEvent(
    ADDED,
    change('assets.visual_prompts', onlyFirst),
  ),
  'lists-every-asset~several-kinds: Of assets of several kinds only those of the first kind are listed.': onEvent(
    'asset.added',
    (event) => {
      const assets = objectAt(event, 'assets')
      const first = KINDS.find((kind) => objectsAt(assets, kind).length > 0)
      return { ...event, assets: Object.fromEntries(KINDS.map((kind) => [kind, kind === first ? assets[kind] : []])) }
    },
  ),
  'lists-no-others: An asset is listed that nobody added.': onEvent(
    ADDED,
    change('assets.speech_text', withExtra({ asset_id: 'builtin_greeting', text: 'Hello' })),
  ),
  'each-once: Speech texts are listed twice.': onEvent(
    ADDED,
    change('assets.speech_text', (texts) =>
      Array.isArray(texts) ? [...(texts as unknown[]), ...(texts as unknown[])] : texts,
    ),
  ),
  'content-agrees: Texts are listed in capitals.': onEvent(
    ADDED,
    change('assets.speech_text.*.text', (text) => String(text).toUpperCase()),
  ),
  'content-agrees~long: Texts are listed cut to 1,024 characters.': onEvent(
    ADDED,
    change('assets.speech_text.*.text', cutAt(1_024)),
  ),
  'content-agrees~long-prompt: Visual prompts are listed cut to 1,024 characters.': onEvent(
    ADDED,
    change('assets.visual_prompts.*.text', cutAt(1_024)),
  ),
  'content-agrees~url: Images are listed with the URL of a sound.': onEvent(ADDED, (event, session) => {
    const [sound] = session.assets.audio.values()
    return sound === undefined ? event : change('assets.images.*.url', () => sound['url'])(event)
  }),
})
