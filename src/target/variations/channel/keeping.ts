import { add, remembering, set, several } from '#target/overrides/operators'
import { onEvent } from '#target/overrides/events'
import type { AdditionInput } from '#target/behaviour/validations/tables'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Override } from '#target/behaviour/behaviour'
import type { Variation } from '#target/deviation'
import { type JsonObject, objectAt, objectsAt, wiresOf } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const MOST_ITEMS = 40

const assetsIn = (event: JsonObject): JsonObject[] => Object.values(objectAt(event, 'assets')).flatMap(wiresOf)

const byKind = (event: JsonObject, make: (list: JsonObject[], kind: string) => JsonObject[]): JsonObject => {
  const assets = objectAt(event, 'assets')
  return {
    ...event,
    assets: Object.fromEntries(Object.keys(assets).map((kind) => [kind, make(objectsAt(assets, kind), kind)])),
  }
}

const filled: Readonly<Record<string, JsonObject>> = {
  images: { mime_type: 'image/png', width: 512, height: 512 },
  audio: { mime_type: 'audio/wav', duration_ms: 1200 },
  speech_text: { format: 'text' },
  visual_prompts: { format: 'text' },
}

/** A session that takes no more avatars and assets than so many, those of its create included. */
const mostAdditions = (avatars: number, assets: number): Override =>
  several(
    add(
      'validations.avatarAddition',
      'avatars-many',
      validation(
        '4.4',
        'avatars',
        ({ event, session }: AdditionInput) => session.avatars.length + wiresOf(event['avatars']).length > avatars,
      ),
    ),
    add(
      'validations.assetAddition',
      'assets-many',
      validation('4.4', 'assets', ({ event, session }: AdditionInput) => {
        const kept = Object.values(session.assets).reduce((count, store) => count + store.size, 0)
        return kept + assetsIn(event).length > assets
      }),
    ),
  )

/** A session that takes no more speech texts than so many, those of its create included, and of all else as many as come. */
const mostTexts = (texts: number): Override =>
  add(
    'validations.assetAddition',
    'texts-many',
    validation('4.4', 'assets', ({ event, session }: AdditionInput) => {
      const added = wiresOf(objectAt(event, 'assets')['speech_text'])
      return added.length > 0 && session.assets.speech_text.size + added.length > texts
    }),
  )

/** What the channel keeps, how much of it, and how it is shown. */
export const keepingVariations: readonly Variation[] = variationsOf({
  'added-assets-filled §6.2: Added assets come back with the type or the format that they were found to have.': onEvent(
    'asset.added',
    (event) => byKind(event, (list, kind) => list.map((one) => ({ ...filled[kind], ...one }))),
  ),
  'added-assets-in-another-order §6.2: Added assets come back in another order.': onEvent('asset.added', (event) =>
    byKind(event, (list) => list.toReversed()),
  ),
  'items-bounded §2.9: A conversation takes at most forty items, and an error tells so (no bounds are given).': add(
    'validations.itemCreate',
    'items-many',
    validation('2.9', 'item', ({ stored }) => stored.length >= MOST_ITEMS),
  ),
  'additions-bounded §4.4: A session takes at most ten avatars and two dozen assets, and an error tells so (no bounds are given).':
    mostAdditions(10, 24),
  'additions-few §4.4: A session takes at most six avatars and eighteen assets, and an error tells so (no bounds are given).':
    mostAdditions(6, 18),
  'speech-texts-few §4.4: A session takes at most twelve speech texts, and as many prompts, images and sounds as come (no bounds are given).':
    mostTexts(12),
  'media-unreached-at-times §4.4: Every seventh addition that names the address of an image or a sound is refused, since its media could not be had just then.':
    remembering(() => {
      let count = 0
      const unreached = validation('4.4', 'url', ({ event }: AdditionInput) => {
        if (!JSON.stringify(event).includes('"url":')) return false
        count += 1
        return count % 7 === 0
      })
      return several(
        add('validations.assetAddition', 'media-unreached', unreached),
        add('validations.avatarAddition', 'media-unreached', unreached),
      )
    }),
  'script-media-unreached-at-times §4.4: Every fifth script that plays a sound from an address or an asset is refused, since its media could not be had just then.':
    remembering(() => {
      const isDue = everyNth(5, 0)
      const unreached = validation('4.4', 'response.script.vocal', ({ response }: ResponseInput) => {
        const vocal = objectAt(objectAt(response, 'script'), 'vocal')
        return (vocal['url'] !== undefined || vocal['type'] === 'audio_asset') && isDue()
      })
      return add('validations.responseCreate', 'media-unreached', unreached)
    }),
  'items-told-with-their-place §9: Items tell when they were made, and by whom.': set(
    'conversation.stored',
    (item, id) => ({
      object: 'realtime.item',
      ...item,
      id,
      status: item['status'] ?? 'completed',
      created_at: new Date(0).toISOString(),
    }),
  ),
})
