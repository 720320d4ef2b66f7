import { fullText } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import type { Condition, Pattern } from '#trace/claim'
import { any, equals, event, inEvent, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { add, addOnce } from '../assets/additions.ts'
import { guide, host, imageFrom } from '../bodies.ts'
import { strewn } from '../events/stray.ts'
import { forRows, given, onlyIf } from '../expectation.ts'
import { type Refusal, refuse } from '../refusals.ts'
import { rows, rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'
import { refuseAvatars, refused } from './add.ts'

const faceOf = (...source_images: readonly JsonObject[]): JsonObject => ({ source_images })

/** Beside an image without URL nobody is added. */
const addNone = claiming({ 'avatar-add': 'none-registered-on-invalid none-registered-after-invalid' }, refused).step(
  async (talk, control: Condition) => {
    const fine = imageFrom(talk.context, 'front')
    const { source_image_id, media_type } = fine
    const faulty = { avatar_id: 'faceless', visual: faceOf({ source_image_id, media_type }) }
    const [early, late] = ['early', 'late'].map((avatar_id) => ({ avatar_id, visual: faceOf(fine) }))
    const { rejected } = await refuseAvatars(talk, [], [early ?? {}, faulty, late ?? {}], { given: [control] })
    for (const [row, avatar] of [
      ['avatar-add.none-registered-on-invalid', 'early'],
      ['avatar-add.none-registered-after-invalid', 'late'],
    ] as const) {
      const selected = { '/session/active_avatar_id': avatar }
      await refuse(
        talk,
        'session.update',
        { session: { active_avatar_id: avatar } },
        {
          expect: (it) => forRows(row, given([control, rejected], neverSelected(talk, it, selected))),
        },
      )
    }
  },
)

/** Selected by one of its images; and without one, where a service derives it. */
const select = claiming({ 'avatar-add': 'selectable-in-video' }).step(async (talk, added: Condition) => {
  const named = { active_avatar_id: 'dancer', source_image_id: 'front' }
  await update(talk, named, {
    inVideo: true,
    expect: (it) => ({ 'avatar-add.selectable-in-video': given(added, it.shows(named)) }),
  })
  await update(talk, { active_avatar_id: host, source_image_id: 'face' }, { inVideo: true })
  const derived = { active_avatar_id: 'dancer', source_image_id: 'side' }
  await update(
    talk,
    { active_avatar_id: 'dancer' },
    {
      refusable: true,
      expect: (it) => ({
        'avatar-add.selectable-in-video': onlyIf([added, it.completes, it.confirmed], it.shows(derived)),
      }),
    },
  )
})

/** Two images, of which the second is the default. */
const addDancer = claiming(
  { 'avatar-add': 'with-images-accepted confirmed confirmed-once not-active not-active-source-image' },
  select,
).step(async (talk, known: string): Promise<Condition> => {
  const front = { ...imageFrom(talk.context, 'front'), description: fullText('In front of a curtain.') }
  const images = faceOf(front, imageFrom(talk.context, 'side'))
  const visual = { ...images, default_source_image_id: 'side', instructions: fullText('Moves gracefully.') }
  const dancer = { avatar_id: 'dancer', instructions: 'You are a dancer.', visual }
  await update(talk, { active_avatar_id: host, source_image_id: 'face' }, { inVideo: true })
  const accepted = 'avatar-add.with-images-accepted'
  const added = await addOnce(talk, 'avatar.add', { avatars: [dancer] }, known, { accepted })
  await update(
    talk,
    { mode: 'video_avatar' },
    {
      told: 'by-id',
      inVideo: true,
      expect: (it) => ({
        'avatar-add.not-active': onlyIf([added, it.confirmed], it.shows({ active_avatar_id: host })),
        'avatar-add.not-active-source-image': onlyIf([added, it.confirmed], it.shows({ source_image_id: 'face' })),
      }),
    },
  )
  await select(talk, added)
  return added
})

/** An avatar that exists keeps its images: none is appended, none is taken away. */
const keepImages = claiming(
  { 'avatar-add': 'existing-rejected images-not-appended images-not-replaced' },
  refused,
).step(async (talk, control: Condition) => {
  const again = { avatar_id: guide, visual: faceOf(imageFrom(talk.context, 'later')) }
  const alone = await refuseAvatars(talk, 'avatar-add.existing-rejected', [again], { given: [control] })
  const notAppended = (answered: Condition) =>
    refuse(
      talk,
      'session.update',
      { session: { active_avatar_id: guide, source_image_id: 'later' } },
      {
        expect: (it) => {
          const unseen = neverSelected(talk, it, { '/session/source_image_id': 'later' })
          return { 'avatar-add.images-not-appended': onlyIf([control, answered], unseen) }
        },
      },
    )
  await notAppended(alone.answered)
  // Nor does one come in beside a new avatar.
  const pal = { avatar_id: 'pal', visual: faceOf(imageFrom(talk.context, 'front')) }
  const beside = await refuseAvatars(talk, [], [pal, again], { given: [control] })
  await notAppended(beside.answered)
  const first = { active_avatar_id: guide, source_image_id: 'face' }
  await update(talk, first, {
    inVideo: true,
    expect: (it) => ({ 'avatar-add.images-not-replaced': onlyIf([control, alone.answered], it.shows(first)) }),
  })
})

/** It is not shown, or what showed it does not complete: in video an image may be looked at after the acknowledgement. */
function neverSelected(talk: Talk, { at, id }: Refusal, shown: Pattern['where']): Condition {
  const completed = event('session.update.done', {
    '/request_event_id': { $in: [id], $absent: true },
    '/status': 'completed',
  })
  return any(talk.never(event('session.updated', shown), at, talk.after(1)), talk.never(completed, at, talk.after(1)))
}

const imageRows = rows({
  'avatar-add': [
    'image-url-missing-rejected image-id-missing-rejected image-id-duplicate-rejected media-type-missing-rejected',
    'media-type-not-image-rejected',
  ],
})

/** One avatar between two that are whole: a service that looks at one end of the list alone finds nothing wrong there. */
function amongWhole(context: Context, avatar: JsonObject): readonly JsonObject[] {
  const fine = () => ({ avatar_id: context.id('fine'), visual: faceOf(imageFrom(context, 'face')) })
  return [fine(), avatar, fine()]
}

function imageFaults(context: Context): readonly (readonly [row: (typeof imageRows)[number], avatar: JsonObject])[] {
  const { source_image_id, url, media_type } = imageFrom(context, 'front')
  const fine = { source_image_id, url, media_type }
  const one = (...images: readonly JsonObject[]) => ({ avatar_id: context.id('avatar'), visual: faceOf(...images) })
  // Between two images that are whole.
  const amid = (image: JsonObject) =>
    one({ ...fine, source_image_id: 'left' }, image, { ...fine, source_image_id: 'right' })
  return [
    ['avatar-add.image-url-missing-rejected', one({ source_image_id, media_type })],
    ['avatar-add.image-url-missing-rejected', one(fine, { source_image_id: 'side', media_type })],
    ['avatar-add.image-id-missing-rejected', amid({ url, media_type })],
    ['avatar-add.image-id-duplicate-rejected', one(fine, fine)],
    ['avatar-add.media-type-missing-rejected', amid({ source_image_id, url })],
    ['avatar-add.media-type-not-image-rejected', amid({ ...fine, media_type: 'video/mp4' })],
    ['avatar-add.media-type-not-image-rejected', amid({ ...fine, media_type: 'application/octet-stream' })],
  ]
}

const voice = {
  provider: 'builtin-audio-3.0-tts-flash_ws',
  provider_voice_id: 'narrator',
  model: 'builtin-audio-3.0-tts-flash',
}

/** An avatar with a voice of its own; which provider voices exist is not shown. */
export function speaker(context: Context, changes: { readonly [field: string]: Json | undefined } = {}): JsonObject {
  const entries = Object.entries({ ...voice, ...changes }).filter(([, field]) => field !== undefined)
  const visual = faceOf(imageFrom(context, 'face'))
  return { avatar_id: context.id('speaker'), visual, voice: Object.fromEntries(entries) as JsonObject }
}

const speeds = [
  ['avatar-add.voice-speed-minimum-accepted', 0.7],
  ['avatar-add.voice-speed-maximum-accepted', 1.2],
  // What changes nothing is a speed as well.
  ['avatar-add.voice-accepted', 1],
] as const

const voiceFaults = [
  ['avatar-add.voice-provider-missing-rejected', { provider: undefined }],
  ['avatar-add.voice-provider-voice-id-missing-rejected', { provider_voice_id: undefined }],
  ['avatar-add.voice-model-missing-rejected', { model: undefined }],
  ['avatar-add.voice-speed-below-minimum-rejected', { speed: 0.69 }],
  ['avatar-add.voice-speed-above-maximum-rejected', { speed: 1.21 }],
] as const

/** @param known the same voice was taken when the session was created */
const addVoices = claiming(
  {
    'avatar-add': 'voice-accepted',
    'avatar-added': 'voice-effective',
    message: 'unknown-nested-field-ignored',
  },
  rowsIn([...speeds, ...voiceFaults]),
  refused,
).step(async (talk, known: Condition) => {
  const one = (changes = {}) => ({ avatars: [speaker(talk.context, changes)] })
  const plain = await add(talk, 'avatar.add', one(), {
    accepted: 'avatar-add.voice-accepted',
    given: [known],
    choice: true,
    expect: ({ answer, confirmed }) => {
      const shown = equals(inEvent(answer, '/avatars/**'), value(voice.provider_voice_id))
      return { 'avatar-added.voice-effective': onlyIf(confirmed, shown) }
    },
  })
  const terms = { given: [plain], choice: true }
  for (const [accepted, speed] of speeds) await add(talk, 'avatar.add', one({ speed }), { accepted, ...terms })
  const accepted = 'message.unknown-nested-field-ignored'
  await add(talk, 'avatar.add', strewn(one()), { accepted, ...terms })
  for (const [row, fault] of voiceFaults) {
    const avatars = [speaker(talk.context), speaker(talk.context, fault), speaker(talk.context)]
    await refuseAvatars(talk, row, avatars, terms)
  }
})

/** Two in one event, each with a `visual` of its own: the confirmation shows both (6.2). */
async function addPair(talk: Talk): Promise<void> {
  const pair = ['singer', 'drummer'].map((avatar_id) => ({
    avatar_id,
    visual: { ...faceOf(imageFrom(talk.context, avatar_id)), instructions: `Moves like a ${avatar_id}.` },
  }))
  await add(talk, 'avatar.add', { avatars: pair })
}

/**
 * Avatars with images and voices, added in video.
 *
 * @param voiced an avatar with a voice was taken when the session was created
 */
export const addInVideo = claiming(
  {
    'avatar-add': 'image-id-shared-by-avatars-accepted',
    message: 'unknown-field-ignored unknown-nested-field-ignored',
  },
  imageRows,
  addDancer,
  keepImages,
  addNone,
  addVoices,
).step(async (talk, known: string, voiced: Condition) => {
  const control = await addDancer(talk, known)
  const mime = { avatar_id: 'mime', visual: faceOf(imageFrom(talk.context, 'face')) }
  await add(
    talk,
    'avatar.add',
    { avatars: [mime] },
    {
      accepted: 'avatar-add.image-id-shared-by-avatars-accepted',
    },
  )
  await addPair(talk)
  const strange = {
    avatar_id: 'strange',
    visual: { ...faceOf(imageFrom(talk.context, 'face')), instructions: 'Sits.' },
  }
  const ignored = ['message.unknown-field-ignored', 'message.unknown-nested-field-ignored'] as const
  await add(talk, 'avatar.add', strewn({ avatars: [strange] }), { accepted: ignored, given: [control] })
  await keepImages(talk, control)
  for (const [row, avatar] of imageFaults(talk.context)) {
    await refuseAvatars(talk, row, amongWhole(talk.context, avatar), { given: [control] })
  }
  await addNone(talk, control)
  await addVoices(talk, voiced)
  // Whether the session was full by then.
  const last = { avatar_id: 'last', visual: faceOf(imageFrom(talk.context, 'last-face')) }
  await add(talk, 'avatar.add', { avatars: [last] })
})
