import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speakAsset, speechAsset } from './additions.ts'
import { greeting, texts, wave } from './add.ts'
import { speech } from '../bodies.ts'
import { retrieve, seek } from '../items/items.ts'
import { failsLate, refuse } from '../refusals.ts'
import { quiet } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { findSpoken } from '../speech/speeches.ts'
import type { Talk } from '../talk.ts'

const written: Row = 'script.auto-speech-asset-written'

/** A registered text is written to the conversation unless it is spoken out of band. */
export async function writeAssets(talk: Talk, known: string, twin: Condition): Promise<void> {
  const { id, text } = greeting
  const auto = await speakAsset(talk, id, text, { extra: { conversation: 'auto' } })
  const found = await findSpoken(talk, auto, text, [written])
  const aside = await speakAsset(talk, 'tour', texts.tour, { extra: { conversation: 'none' } })
  await seek(talk, aside.itemId ?? '', known, ({ nothing }) => {
    talk.claim('script.none-speech-asset-not-written', nothing, { given: [twin, aside.started, found] })
  })
  const byDefault = await speakAsset(talk, id, text, {})
  await findSpoken(talk, byDefault, text, [written])
}

const faults: readonly (readonly [row: Row, response: JsonObject])[] = [
  ['script-speech-asset.unknown-asset-rejected', speechAsset('nowhere')],
  ['script-speech-asset.other-kind-rejected', speechAsset(wave.id)],
  ['script-speech-asset.other-kind-rejected', speechAsset('bow')],
  ['script-speech-asset.id-missing-rejected', { script: { vocal: { type: 'speech_asset' } } }],
  ['script.unknown-vocal-type-rejected', { script: { vocal: { type: 'whistle', text: 'A tune.' } } }],
  ['script.vocal-type-missing-rejected', { script: { vocal: { text: 'A tune.' } } }],
]

/** @param twin a registered text was spoken */
export async function refuseScripts(talk: Talk, twin: Condition): Promise<void> {
  for (const [row, response] of faults) {
    const message = { type: 'response.create', response }
    const spared = failsLate(talk)
    await refuse(talk, { rows: [row], message, confirmation: 'response.created', given: [twin], spared })
    await quiet(talk)
    await quiet(talk)
  }
}

/** A visual action may be refused, ignored or without output; it is not rendered. */
export async function showNothing(talk: Talk, known: string): Promise<void> {
  const visual = { prompt: 'Nods slowly.', duration_ms: 300 }
  const [vocal, words] = [{ type: 'speech', text: 'Look at me.' }, 'Nobody saw that.']
  const spoken = event('response.output_text.done', { '/text': words })
  const at = talk.coming
  const given = [talk.eventually(spoken, at, { within: 4 * talk.patience })]
  const rendered = talk.never(event('response.render.started'), at)
  talk.claim('script-visual.not-rendered-in-text-chat', rendered, { given })
  for (const script of [{ visual }, { vocal, visual }]) {
    talk.send({ type: 'response.create', event_id: talk.context.id('visual'), response: { script } })
    await retrieve(talk, known)
    await quiet(talk)
  }
  await talk.say({ type: 'response.create', event_id: talk.context.id('words'), response: speech(words) }, spoken)
  await quiet(talk)
}
