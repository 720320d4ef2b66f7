import type { Condition } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { greeting, jingle, wave } from '../assets/add.ts'
import { add } from '../assets/additions.ts'
import { silence } from '../assets/media.ts'
import { imageFrom, speech } from '../bodies.ts'
import { type Counted, forRows, onlyIf } from '../expectation.ts'
import { retrieve, seek } from '../items/items.ts'
import { refuseResponse } from '../refusals.ts'
import { type Asked, completed, type Finished, quiet, respond, start } from '../responses/responses.ts'
import { type Row, type Rows, rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { playBeside, refuseBeside } from './beside.ts'

/** Milliseconds of an action that is waited for: a service may have bounds. */
const brief = 500

/** A script that shows an action. */
export function act(visual: JsonObject, beside: JsonObject = {}, extra: JsonObject = {}): JsonObject {
  return { script: { ...beside, visual }, ...extra }
}

/** Starts a script, which must be taken; the next one interrupts it. */
export async function play<R extends Row>(
  talk: Talk<R>,
  accepted: Rows<R>,
  response: JsonObject,
  given: readonly Condition[] = [],
): Promise<Condition> {
  const { started } = await start(talk, response, (asked) => talk.claim(accepted, asked.started, { given }))
  return started
}

/** However a response ends, its session is idle then. @param over whatever was asked for before is done */
export const showOnceDone = claiming({ scheduling: 'idle-after-done' }).step(async (talk, over: Condition) => {
  const words = speech('Here I am.', { scheduling_policy: 'reject_if_busy' })
  await respond(talk, words, ({ started }) => ({ 'scheduling.idle-after-done': onlyIf(over, started) }))
  await quiet(talk)
})

/** What was taken: an action alone, and one beside words. */
export interface Shown {
  readonly alone: Condition
  readonly beside: Condition
}

const words = { type: 'speech', text: 'Look at me.' }

const sounds = { type: 'audio', mime_type: 'audio/wav', audio: silence(0.3) }

/** Actions that nothing cuts short: by asset, and beside words and sounds. */
const showToTheEnd = claiming({
  'render-started': 'for-visual-only for-speech for-audio',
  'script-visual': 'duration-accepted',
}).step(async (talk, assets: ReadonlyMap<string, readonly Condition[]>, known: string, brieflyTaken: Condition) => {
  const show = async (
    row: RenderedRow,
    visual: JsonObject,
    beside: JsonObject,
    { given = [], extra = {} }: { readonly given?: readonly Condition[]; readonly extra?: JsonObject } = {},
  ): Promise<Finished> => {
    const shown = await respond(talk, act({ ...visual, duration_ms: brief }, beside, extra), (asked) => {
      talk.claim('script-visual.duration-accepted', asked.started, { given: [...given, brieflyTaken] })
      return forRows(row, expectRendered(talk, asked))
    })
    await quiet(talk)
    return shown
  }
  for (const [visual_prompt_asset_id, given] of assets)
    await show('render-started.for-visual-only', { visual_prompt_asset_id }, {}, { given })
  const waves = { prompt: 'Waves.' }
  const { itemId: said = '' } = await show('render-started.for-speech', waves, { vocal: words })
  const greets = { type: 'speech_asset', speech_text_asset_id: greeting.id }
  const { itemId: greeted = '' } = await show('render-started.for-speech', waves, { vocal: greets })
  const aside = { extra: { conversation: 'none' } }
  const { itemId: whispered = '' } = await show('render-started.for-speech', waves, { vocal: words }, aside)
  await show('render-started.for-audio', waves, { vocal: sounds })
  // Rules judge what is found: words are written beside an action as well, and are not when they are out of band.
  for (const itemId of [known, said, greeted]) if (itemId !== '') await retrieve(talk, itemId)
  if (whispered !== '') await seek(talk, whispered, known, () => ({}))
})

type RenderedRow = Extract<Row, `render-started.for-${'visual-only' | 'speech' | 'audio'}`>

/** Actions by prompt and by asset, alone and beside words. */
export const showActions = claiming(
  {
    'script-visual': [
      'prompt-accepted duration-omitted-accepted several-actions-accepted added-asset-accepted',
      'create-time-asset-accepted beside-vocal-accepted duration-accepted',
    ],
    'render-started': 'for-visual-only',
  },
  showToTheEnd,
  playBeside,
).step(async (talk, known: string): Promise<Shown> => {
  const bow = { asset_id: 'bow', text: 'Bows deeply.', format: 'text' }
  const added = await add(talk, 'asset.add', { assets: { visual_prompts: [bow] } })
  const begun = await start(talk, act({ prompt: 'Looks to the left.' }), ({ started }) => ({
    'script-visual.prompt-accepted': started,
    'script-visual.duration-omitted-accepted': started,
  }))
  await talk.hear(event('response.render.started'), begun.start?.frame ?? 0)
  const actions = { prompt: 'Nods. [SHOT_SEP] Smiles. [SHOT_SEP] Looks to the right.' }
  await play(talk, 'script-visual.several-actions-accepted', act({ ...actions, duration_ms: 2_000 }))
  const byAsset = (visual_prompt_asset_id: string) => act({ visual_prompt_asset_id })
  await play(talk, 'script-visual.added-asset-accepted', byAsset(bow.asset_id), [added])
  await play(talk, 'script-visual.create-time-asset-accepted', byAsset(wave.id))
  const waves = (vocal: JsonObject) =>
    play(talk, 'script-visual.beside-vocal-accepted', act({ prompt: 'Waves.' }, { vocal }))
  await waves(sounds)
  const beside = await waves(words)
  await play(talk, 'script-visual.beside-vocal-accepted', act({ visual_prompt_asset_id: wave.id }, { vocal: words }))
  await play(talk, 'script-visual.duration-accepted', act({ prompt: 'Turns round.', duration_ms: 5_000 }))
  const short = await respond(talk, act({ prompt: 'Blinks.', duration_ms: brief }), (asked) => ({
    'render-started.for-visual-only': expectRendered(talk, asked),
  }))
  await quiet(talk)
  const assets = new Map([
    [bow.asset_id, [added]],
    [wave.id, []],
  ])
  await showToTheEnd(talk, assets, known, short.started)
  await playBeside(talk, act(blinking), short.started)
  return { alone: short.started, beside }
})

/** What is completed was rendered before; it is heard out before anything else is sent. */
export function expectRendered(talk: Talk, asked: Asked): Counted {
  const rendered = talk.inTime(event('response.render.started'), { event: asked.created }, undefined, {
    instead: [event('response.done')],
  })
  // A service may render for nobody, and nobody is in the room.
  const renders = before({ event: talk.event(event('response.render.started'), talk.opened) }, talk.closed)
  return onlyIf([asked.started, completed(asked), renders], rendered)
}

const both = { prompt: 'Waves.', visual_prompt_asset_id: wave.id }

const faults = [
  ['script-visual.prompt-and-asset-rejected', { ...both, duration_ms: brief }],
  ['script-visual.neither-rejected', { duration_ms: brief }],
  ['script-visual.unknown-asset-rejected', { visual_prompt_asset_id: 'nowhere', duration_ms: brief }],
  ['script-visual.unknown-asset-rejected', { visual_prompt_asset_id: wave.id.toUpperCase(), duration_ms: brief }],
  ['script-visual.other-kind-rejected', { visual_prompt_asset_id: greeting.id, duration_ms: brief }],
  ['script-visual.duration-not-integer-rejected', { prompt: 'Waves.', duration_ms: 300.5 }],
  ['script-visual.duration-not-integer-rejected', { prompt: 'Waves.', duration_ms: '300' }],
] as const

const blinking = { prompt: 'Blinks.', duration_ms: brief }

/** A vocal that is at fault beside an action that is not. */
const vocalFaults = [
  ['script.unknown-vocal-type-rejected', { type: 'whistle', text: 'A tune.' }],
  ['script-speech.text-missing-rejected', { type: 'speech' }],
  ['script-speech-asset.unknown-asset-rejected', { type: 'speech_asset', speech_text_asset_id: 'nowhere' }],
  ['script-audio.no-source-rejected', { type: 'audio', mime_type: 'audio/wav' }],
] as const

/** What is registered is not therefore an action. */
const refuseOthers = claiming({ 'script-visual': 'other-kind-rejected' }).step(async (talk, control: Condition) => {
  const portrait = { asset_id: 'portrait', url: imageFrom(talk.context, 'portrait').url }
  const image = await add(talk, 'asset.add', { assets: { images: [portrait] } })
  const audio = talk.context.profile.media?.audio_url === undefined ? [] : [[jingle, control] as const]
  for (const [visual_prompt_asset_id, known] of [['portrait', image] as const, ...audio]) {
    const rejected = 'script-visual.other-kind-rejected'
    const options = { rejected, given: [control, known], late: true } as const
    await refuseResponse(talk, act({ visual_prompt_asset_id, duration_ms: brief }), options)
  }
})

/** @param shown actions without the fault that were taken */
export const refuseActions = claiming({}, rowsIn(faults), rowsIn(vocalFaults), refuseOthers, refuseBeside).step(
  async (talk, { alone, beside }: Shown) => {
    for (const [vocal, control] of [
      [{}, alone],
      [{ vocal: words }, beside],
    ] as const) {
      for (const [rejected, visual] of faults) {
        await refuseResponse(talk, act(visual, vocal), { rejected, given: [control], late: true })
      }
    }
    await refuseOthers(talk, alone)
    for (const [rejected, vocal] of vocalFaults) {
      await refuseResponse(talk, act(blinking, { vocal }), { rejected, given: [beside], late: true })
    }
    await refuseBeside(talk, [
      [act(blinking), alone],
      [act(blinking, { vocal: words }), beside],
    ])
  },
)
