import type { Condition } from '#trace/claim'
import { before, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add } from '../assets/additions.ts'
import { greeting, wave } from '../assets/add.ts'
import { silence } from '../assets/media.ts'
import { failsLate, refuse } from '../refusals.ts'
import { type Asked, finish, quiet, respond, start } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'

/** Milliseconds of an action that is waited for. */
const brief = 300

/** A script that shows an action. */
export function act(visual: JsonObject, beside: JsonObject = {}, extra: JsonObject = {}): JsonObject {
  return { script: { ...beside, visual }, ...extra }
}

/** Starts a script, which must be taken; the next one interrupts it. */
export async function play(
  talk: Talk,
  rows: readonly Row[],
  response: JsonObject,
  given: readonly Condition[] = [],
): Promise<Condition> {
  const { started } = await start(talk, response, (asked) => talk.claim(rows, asked.started, { given }))
  return started
}

/** However a response ends, its session is idle then. @param over whatever was asked for before is done */
export async function showOnceDone(talk: Talk, over: Condition): Promise<void> {
  const blink = act({ prompt: 'Blinks.', duration_ms: brief }, {}, { scheduling_policy: 'reject_if_busy' })
  await respond(talk, blink, ({ started }) => {
    talk.claim('scheduling.idle-after-done', started, { given: [over], choice: true })
  })
  await quiet(talk)
}

/** What was taken: an action alone, and one beside words. */
export interface Shown {
  readonly alone: Condition
  readonly beside: Condition
}

const words = { type: 'speech', text: 'Look at me.' }

/** Actions by prompt and by asset, alone and beside words. */
export async function showActions(talk: Talk): Promise<Shown> {
  const bow = { asset_id: 'bow', text: 'Bows deeply.' }
  const added = await add(talk, 'asset.add', { assets: { visual_prompts: [bow] } })
  const omitted: readonly Row[] = ['script-visual.prompt-accepted', 'script-visual.duration-omitted-accepted']
  const begun = await start(talk, act({ prompt: 'Looks to the left.' }), ({ started }) => talk.claim(omitted, started))
  await talk.hear(event('response.render.started'), begun.start?.frame ?? 0)
  const actions = { prompt: 'Nods. [SHOT_SEP] Smiles. [SHOT_SEP] Looks to the right.' }
  await play(talk, ['script-visual.several-actions-accepted'], act(actions))
  await play(talk, ['script-visual.added-asset-accepted'], act({ visual_prompt_asset_id: bow.asset_id }), [added])
  await play(talk, ['script-visual.create-time-asset-accepted'], act({ visual_prompt_asset_id: wave.id }))
  const row: readonly Row[] = ['script-visual.beside-vocal-accepted']
  const sound = { type: 'audio', mime_type: 'audio/wav', audio: silence(0.3) }
  await play(talk, row, act({ prompt: 'Waves.' }, { vocal: sound }))
  const beside = await play(talk, row, act({ prompt: 'Waves.' }, { vocal: words }))
  const short = await start(talk, act({ prompt: 'Blinks.', duration_ms: brief }), (asked) => {
    talk.claim('script-visual.duration-accepted', asked.started)
    claimRendered(talk, asked, 'render-started.for-visual-only')
  })
  await finish(talk, short)
  await quiet(talk)
  return { alone: short.started, beside }
}

/** What is completed was rendered before; it is heard out before anything else is sent. */
export function claimRendered(talk: Talk, { created, done, started }: Asked, row: Row): void {
  const rendered = talk.inTime(event('response.render.started'), { event: created }, undefined, {
    instead: [event('response.done')],
  })
  const completed = equals(inEvent(done, '/response/status'), value('completed'))
  // A service may render for nobody, and nobody is in the room.
  const renders = before({ event: talk.event(event('response.render.started'), talk.opened) }, talk.closed)
  talk.claim(row, rendered, { given: [started, completed, renders], choice: true })
}

const both = { prompt: 'Waves.', visual_prompt_asset_id: wave.id }

const faults: readonly (readonly [row: Row, visual: JsonObject])[] = [
  ['script-visual.prompt-and-asset-rejected', { ...both, duration_ms: brief }],
  ['script-visual.neither-rejected', { duration_ms: brief }],
  ['script-visual.unknown-asset-rejected', { visual_prompt_asset_id: 'nowhere', duration_ms: brief }],
  ['script-visual.other-kind-rejected', { visual_prompt_asset_id: greeting.id, duration_ms: brief }],
  ['script-visual.duration-not-integer-rejected', { prompt: 'Waves.', duration_ms: 300.5 }],
  ['script-visual.duration-not-integer-rejected', { prompt: 'Waves.', duration_ms: '300' }],
]

/** @param twins actions without the fault that were taken */
export async function refuseActions(talk: Talk, { alone, beside }: Shown): Promise<void> {
  for (const [row, visual] of faults) await refuseScript(talk, [row], act(visual), [alone])
  for (const [row, visual] of faults) await refuseScript(talk, [row], act(visual, { vocal: words }), [beside])
}

/** A script that must be refused. */
export async function refuseScript(
  talk: Talk,
  rows: readonly Row[],
  response: JsonObject,
  given: readonly Condition[],
): Promise<void> {
  const message = { type: 'response.create', response }
  await refuse(talk, { rows, message, confirmation: 'response.created', given, spared: failsLate(talk) })
  await quiet(talk)
}
