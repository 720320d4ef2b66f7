import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { retrieve, seek } from '../items/items.ts'
import { refuseResponse } from '../refusals.ts'
import { quiet, respond } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { findSpoken, foundRows } from '../speech/speeches.ts'
import { claiming } from '../step.ts'
import { type Controls, greeting, texts, wave } from './add.ts'
import { speakAsset, speechAsset } from './additions.ts'
import { silentAudio } from './media.ts'

/** A registered text is written to the conversation unless it is spoken out of band. */
export const writeAssets = claiming(
  {
    script: 'auto-speech-asset-written none-speech-asset-not-written',
    'response-create': 'conversation-auto-accepted',
  },
  foundRows,
).step(async (talk, known: string, control: Condition) => {
  const { id, text } = greeting
  const auto = await respond(talk, speechAsset(id, { conversation: 'auto' }), ({ started }) => ({
    'response-create.conversation-auto-accepted': onlyIf(control, started),
  }))
  const found = await findSpoken(talk, auto, text, 'script.auto-speech-asset-written')
  const aside = await speakAsset(talk, 'tour', texts.tour, { extra: { conversation: 'none' } })
  await seek(talk, aside.itemId ?? '', known, ({ nothing }) => ({
    'script.none-speech-asset-not-written': given([control, aside.started, found], nothing),
  }))
  const byDefault = await speakAsset(talk, id, text)
  await findSpoken(talk, byDefault, text, 'script.auto-speech-asset-written')
})

const faults = [
  ['script-speech-asset.unknown-asset-rejected', speechAsset('nowhere')],
  ['script-speech-asset.unknown-asset-rejected', speechAsset(greeting.id.toUpperCase())],
  ['script-speech-asset.other-kind-rejected', speechAsset(wave.id)],
  ['script-speech-asset.other-kind-rejected', speechAsset('bow')],
  ['script-speech-asset.id-missing-rejected', { script: { vocal: { type: 'speech_asset' } } }],
  ['script.unknown-vocal-type-rejected', { script: { vocal: { type: 'whistle', text: 'A tune.' } } }],
  ['script.vocal-type-missing-rejected', { script: { vocal: { text: 'A tune.' } } }],
] as const

/** @param control a registered text was spoken */
export const refuseScripts = claiming({}, rowsIn(faults)).step(
  async (talk, control: Condition, { image, audio }: Controls) => {
    for (const [rejected, response] of faults) {
      await refuseResponse(talk, response, { rejected, given: [control], late: true })
    }
    for (const [id, added] of [
      ['map', image],
      ['bell', audio],
    ] as const) {
      if (added === undefined) continue
      const rejected = 'script-speech-asset.other-kind-rejected'
      await refuseResponse(talk, speechAsset(id), { rejected, given: [control, added], late: true })
    }
  },
)

/** A visual action, or audio, may be refused, ignored or without output; it is not rendered. */
export const showNothing = claiming({ 'script-visual': 'not-rendered-in-text-chat' }).step(
  async (talk, known: string) => {
    const visual = { prompt: 'Nods slowly.', duration_ms: 300 }
    const [vocal, words] = [{ type: 'speech', text: 'Look at me.' }, 'Nobody saw that.']
    const spoken = event('response.output_text.done', { '/text': words })
    // A rule judges that nothing is rendered of audio either.
    talk.send({ type: 'response.create', event_id: talk.context.id('audio'), response: silentAudio(0.1) })
    await retrieve(talk, known)
    await quiet(talk)
    const at = talk.coming
    const spoke = talk.eventually(spoken, at, { within: 4 * talk.patience })
    const unrendered = talk.never(event('response.render.started'), at)
    talk.expect({ 'script-visual.not-rendered-in-text-chat': given(spoke, unrendered) })
    for (const script of [{ visual }, { vocal, visual }]) {
      talk.send({ type: 'response.create', event_id: talk.context.id('visual'), response: { script } })
      await retrieve(talk, known)
      await quiet(talk)
    }
    await talk.say({ type: 'response.create', event_id: talk.context.id('words'), response: speech(words) }, spoken)
    await quiet(talk)
  },
)
