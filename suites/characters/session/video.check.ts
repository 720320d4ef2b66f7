import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, same } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import {
  beginAndClose,
  get,
  list,
  mustSave,
  needsVideo,
  refuse,
  refuseStart,
  replace,
  save,
  tryBegin,
} from '../acts.ts'
import { ada, bea, sourceImage, textCharacter, videoCharacter, without } from '../bodies.ts'
import { Line } from './channel.ts'

const key = 'primary'

const seenInVideo = [
  'characters.configuration.source-image-id-echoed',
  'characters.configuration.aspect-ratio-echoed',
  'characters.configuration.resolution-echoed',
  'characters.configuration.source-images-echoed',
  'characters.configuration.source-image-url-kept-or-rehosted',
  'characters.configuration.visual-echoed',
  'characters.session.source-image-saved',
  'characters.session.source-image-default',
  'characters.session.source-images-saved',
  'characters.session.mode-default-saved',
  'characters.session.active-avatar-sole',
  'characters.session.output-saved',
  'characters.session.resolution-overridden',
  'characters.session.aspect-ratio-kept',
  'characters.session.aspect-ratio-overridden',
  'characters.session.resolution-kept',
  'characters.session.output-both-overridden',
  'characters.session.output-empty-keeps',
  'characters.session.overrides-not-kept',
  'characters.session.transport-default',
  'characters.replace.output-gone',
  'characters.list.item-resolution',
] as const satisfies readonly RequirementId[]

const refusals = [
  'characters.create.output-missing-rejected',
  'characters.create.output-missing-default-mode-rejected',
  'characters.create.output-missing-mode-omitted-rejected',
  'characters.replace.output-missing-rejected',
  'characters.replace.output-missing-default-mode-rejected',
  'characters.code-20014.create-output-missing',
  'characters.code-20014.create-output-missing-default-mode',
  'characters.code-20014.replace-output-missing',
  'characters.code-20014.replace-output-missing-default-mode',
  'characters.session.output-unsupported-rejected',
  'characters.code-30004.start-output-unsupported',
] as const satisfies readonly RequirementId[]

/** A character for video: what it must have, and how `output` is merged into its sessions. */
export const video: Scenario = {
  id: 'characters.video',
  needs: needsVideo,
  proves: [
    'characters.session.control-speaks',
    ...seenInVideo,
    ...refusals,
    'characters.replace.accepted',
    'characters.create.video-accepted',
    'characters.create.default-mode-video-accepted',
    'characters.session.transport-overridden',
    'characters.session.transport-override-replaces-saved',
    'characters.session.delivery-saved',
    'characters.replace.omitted-gone-from-sessions',
    'characters.session.retry-same-session',
    'characters.replace.avatar-members-gone',
    'characters.create.refused-leaves-no-character',
    'characters.replace.refused-changes-nothing',
  ],
  price: { requests: { primary: 28 }, typical: 27, sessions: { primary: 1 } },
  async drive(c) {
    const created = c.exchange()
    c.claim('characters.create.video-accepted', accepted(created))
    const character_id = await mustSave(
      c,
      { ...videoCharacter(c, 'video'), ...over(c, 'rtc_b') },
      { exchange: created },
    )
    const plain = await mergeOutput(c, character_id)
    await refuseCreates(c, created)
    const [defaulted, replaced] = [c.exchange(), c.exchange()]
    await byDefault(c, character_id, { defaulted, replaced })
    const body = { character_id, output: { resolution: '1080p' } }
    const rows = ['characters.session.output-unsupported-rejected'] as const
    const code = [['characters.code-30004.start-output-unsupported'], [30004]] as const
    await refuseStart(c, { rows, code, twin: plain }, body, key)
    await refuseNamed(c, character_id, replaced)
    const isNew = (item: Json | undefined) => at(item, '/resolution') === '720p'
    await list(c, key, (shown) => isNew(shown.get(character_id)))
    await get(c, character_id)
    const again = c.exchange()
    c.claim('characters.replace.accepted', accepted(again))
    await replace(c, character_id, textCharacter(c, 'without-video'), { exchange: again })
    await refuseDefault(c, character_id, replaced)
    await get(c, character_id)
  },
}

/** "`output` and `delivery` are shallow-merged over the saved top-level objects" (4.1). @returns the last start */
async function mergeOutput(c: Context, character_id: string): Promise<number> {
  const overrides: readonly JsonObject[] = [
    { output: { resolution: '720p' } },
    { output: { aspect_ratio: '1:1' } },
    { output: { aspect_ratio: '16:9', resolution: '720p' }, ...over(c, 'rtc_a') },
  ]
  for (const override of overrides.slice(0, -1)) await beginWith(c, character_id, override)
  await startTwice(c, { character_id, idempotency_key: c.id('start'), ...overrides.at(-1) })
  const exchange = c.exchange()
  const session = await tryBegin(c, { character_id }, { exchange })
  if (session === undefined) return exchange
  await speakIn(c, session)
  await c.close(session)
  return exchange
}

/** Aspect ratios are "for example" (4.1): what a model lacks leaves nothing to see of how it is merged. */
const shownByRatio = ['aspect-ratio-overridden', 'resolution-kept'] as const
const shownByResolution = ['resolution-overridden', 'aspect-ratio-kept'] as const

async function beginWith(c: Context, character_id: string, override: JsonObject): Promise<void> {
  const exchange = c.exchange()
  if (await beginAndClose(c, { character_id, ...override }, { exchange })) return
  const rows = at(override, '/output/aspect_ratio') === undefined ? shownByResolution : shownByRatio
  const given = [accepted(exchange)]
  for (const row of rows) {
    c.claim(`characters.session.${row}`, accepted(exchange), { given, given_code: 'model_choice' })
  }
}

/** It speaks and renders like any other. */
async function speakIn(c: Context, session: OpenSession): Promise<void> {
  const channel = await c.open(session)
  if (channel.state === 'open') await new Line(c, channel).speak({ rows: ['characters.session.control-speaks'] })
}

/** A transport, where there are two. */
function over(c: Context, name: 'rtc_a' | 'rtc_b'): JsonObject {
  return c.offers('rtc_b') ? { delivery: { media: { transport: name } } } : {}
}

/** With its key, a start with overrides makes no second session either. */
async function startTwice(c: Context, body: JsonObject): Promise<void> {
  const [first, again] = [c.exchange(), c.exchange()]
  const ids = [answer(first, '/data/session_id'), answer(again, '/data/session_id')] as const
  const session = await tryBegin(c, body, { exchange: first })
  if (session === undefined) return
  c.claim('characters.session.retry-same-session', same(...ids), {
    given: [accepted(again)],
    given_code: 'model_choice',
  })
  // At the concurrency limit a repeated start may be told so.
  const came = await c.call('create-session-from-character', { exchange: again, body, retry: 'never' })
  const other = came.ok ? c.adopt(came) : session
  if (other.id !== session.id) await c.close(other)
  await c.close(session)
}

/** `output` is required for `video_avatar`, by name and by default. */
async function refuseCreates(c: Context, twin: number): Promise<void> {
  const whole = (word: string) => without(videoCharacter(c, word), 'output')
  const code = [20014]
  await refuse(
    c,
    {
      rows: ['characters.create.output-missing-rejected'],
      code: [['characters.code-20014.create-output-missing'], code],
      twin,
    },
    'create-character',
    { body: whole('no-output') },
  )
  await refuse(c, { rows: ['characters.create.output-missing-mode-omitted-rejected'], twin }, 'create-character', {
    body: { ...whole('no-mode'), session: { active_avatar_id: ada } },
  })
  await refuse(
    c,
    {
      rows: ['characters.create.output-missing-default-mode-rejected'],
      code: [['characters.code-20014.create-output-missing-default-mode'], code],
      twin,
    },
    'create-character',
    { body: without(soleCharacter(c, 'no-session'), 'output') },
  )
}

async function refuseNamed(c: Context, character_id: string, twin: number): Promise<void> {
  const named = { ...soleCharacter(c, 'no-output'), session: { mode: 'video_avatar' } }
  await refuse(
    c,
    {
      rows: ['characters.replace.output-missing-rejected'],
      code: [['characters.code-20014.replace-output-missing'], [20014]],
      twin,
    },
    'replace-character',
    { params: { character_id }, body: without(named, 'output') },
  )
}

/**
 * Of a `text_chat` character, whose mode is no more than another thing that a replace omits: without a session, and with
 * one that names no mode.
 */
async function refuseDefault(c: Context, character_id: string, twin: number): Promise<void> {
  const rows = ['characters.replace.output-missing-default-mode-rejected'] as const
  const code = [['characters.code-20014.replace-output-missing-default-mode'], [20014]] as const
  const body = without(soleCharacter(c, 'no-mode'), 'output')
  for (const one of [body, { ...body, session: { active_avatar_id: bea } }]) {
    await refuse(c, { rows, code, twin }, 'replace-character', { params: { character_id }, body: one })
  }
}

/** Neither mode nor avatar nor image by name: one avatar, two images and a default. */
function soleCharacter(c: Context, word: string): JsonObject {
  const images = [sourceImage(c.profile, 'near'), sourceImage(c.profile, 'far')]
  return {
    name: c.id(word),
    model: 'svc-a1-stream',
    output: { aspect_ratio: '9:16', resolution: '720p' },
    avatars: [{ avatar_id: bea, visual: { source_images: images, default_source_image_id: 'far' } }],
  }
}

async function byDefault(
  c: Context,
  character_id: string,
  { defaulted, replaced }: { readonly defaulted: number; readonly replaced: number },
): Promise<void> {
  c.claim('characters.create.default-mode-video-accepted', accepted(defaulted))
  await save(c, soleCharacter(c, 'by-default'), { exchange: defaulted })
  c.claim('characters.replace.accepted', accepted(replaced))
  await replace(c, character_id, soleCharacter(c, 'by-default'), { exchange: replaced })
  await beginAndClose(c, { character_id, output: {} })
}
