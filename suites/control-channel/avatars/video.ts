import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition, Pattern } from '#trace/claim'
import { any, equals, event, inEvent, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { add } from '../assets/additions.ts'
import { refuseAvatars } from './add.ts'
import { guide, host, imageFrom } from '../bodies.ts'
import { type Refusal, refuse } from '../refusals.ts'
import type { Row } from '../rows.ts'
import type { ClaimOptions, Said, Talk } from '../talk.ts'
import { type Update, update } from '../updates/updates.ts'

const faceOf = (...source_images: readonly JsonObject[]): JsonObject => ({ source_images })

/**
 * Avatars with images and voices, added in video.
 *
 * @param voiced an avatar with a voice was taken when the session was created
 */
export async function addInVideo(talk: Talk, known: string, voiced: Condition): Promise<void> {
  const twin = await addDancer(talk, known)
  const mime = { avatar_id: 'mime', visual: faceOf(imageFrom(talk.context, 'face')) }
  const shared: readonly Row[] = ['avatar-add.image-id-shared-by-avatars-accepted']
  await add(talk, 'avatar.add', { avatars: [mime] }, { rows: shared })
  await keepImages(talk, twin)
  for (const [row, avatar] of imageFaults(talk.context)) {
    await refuseAvatars(talk, [row], amongWhole(talk.context, avatar), { given: [twin] })
  }
  await addNone(talk, twin)
  await addVoices(talk, voiced)
}

/** Beside an image without URL nobody is added. */
async function addNone(talk: Talk, twin: Condition): Promise<void> {
  const fine = imageFrom(talk.context, 'front')
  const { source_image_id, media_type } = fine
  const faulty = { avatar_id: 'faceless', visual: faceOf({ source_image_id, media_type }) }
  const [before, after] = [
    { avatar_id: 'early', visual: faceOf(fine) },
    { avatar_id: 'late', visual: faceOf(fine) },
  ]
  const { rejected } = await refuseAvatars(talk, [], { avatars: [before, faulty, after] }, { given: [twin] })
  for (const [row, avatar] of [
    ['avatar-add.none-registered-on-invalid', 'early'],
    ['avatar-add.none-registered-after-invalid', 'late'],
  ] as const) {
    await refuse(talk, {
      rows: [],
      message: { type: 'session.update', session: { active_avatar_id: avatar } },
      confirmation: 'session.updated',
      write: (it) => {
        const selected = { '/session/active_avatar_id': avatar }
        talk.claim(row, neverSelected(talk, it, selected), { given: [twin, rejected] })
      },
    })
  }
}

/** Two images, of which the second is the default. */
async function addDancer(talk: Talk, known: string): Promise<Condition> {
  const images = faceOf(imageFrom(talk.context, 'front'), imageFrom(talk.context, 'side'))
  const visual = { ...images, default_source_image_id: 'side', instructions: 'Moves gracefully.' }
  const dancer = { avatar_id: 'dancer', instructions: 'You are a dancer.', visual }
  await update(talk, { active_avatar_id: host, source_image_id: 'face' })
  const rows: readonly Row[] = ['avatar-add.with-images-accepted']
  const added = await add(talk, 'avatar.add', { avatars: [dancer] }, { rows, known })
  await update(
    talk,
    { mode: 'video_avatar' },
    {
      told: 'by-id',
      write: (it) => {
        const options = { given: [added, it.confirmed], choice: true }
        talk.claim('avatar-add.not-active', it.shows({ active_avatar_id: host }), options)
        talk.claim('avatar-add.not-active-source-image', it.shows({ source_image_id: 'face' }), options)
      },
    },
  )
  await select(talk, added)
  return added
}

/** By one of its images; and without one, where a service derives it. */
async function select(talk: Talk, added: Condition): Promise<void> {
  const row: Row = 'avatar-add.selectable-in-video'
  const named = { active_avatar_id: 'dancer', source_image_id: 'front' }
  await update(talk, named, { write: (it) => talk.claim(row, it.shows(named), { given: [added] }) })
  await update(talk, { active_avatar_id: host, source_image_id: 'face' })
  const derived = { active_avatar_id: 'dancer', source_image_id: 'side' }
  const write = (it: Update) => {
    talk.claim(row, it.shows(derived), { given: [added, it.completes, it.confirmed], choice: true })
  }
  await update(talk, { active_avatar_id: 'dancer' }, { refusable: true, write })
}

/** An avatar that exists keeps its images: none is appended, none is taken away. */
async function keepImages(talk: Talk, twin: Condition): Promise<void> {
  const again = { avatar_id: guide, visual: faceOf(imageFrom(talk.context, 'later')) }
  const { answered } = await refuseAvatars(
    talk,
    ['avatar-add.existing-rejected'],
    { avatars: [again] },
    { given: [twin] },
  )
  const options = { given: [twin, answered], choice: true }
  await selectAppended(talk, options)
  // Nor does one come in beside a new avatar.
  const pal = { avatar_id: 'pal', visual: faceOf(imageFrom(talk.context, 'front')) }
  const beside = await refuseAvatars(talk, [], { avatars: [pal, again] }, { given: [twin] })
  await selectAppended(talk, { given: [twin, beside.answered], choice: true })
  await update(
    talk,
    { active_avatar_id: guide, source_image_id: 'face' },
    {
      write: (it) => {
        const kept = it.shows({ active_avatar_id: guide, source_image_id: 'face' })
        talk.claim('avatar-add.images-not-replaced', kept, options)
      },
    },
  )
}

async function selectAppended(talk: Talk, options: ClaimOptions): Promise<void> {
  await refuse(talk, {
    rows: [],
    message: { type: 'session.update', session: { active_avatar_id: guide, source_image_id: 'later' } },
    confirmation: 'session.updated',
    write: (it) => {
      const later = { '/session/source_image_id': 'later' }
      talk.claim('avatar-add.images-not-appended', neverSelected(talk, it, later), options)
    },
  })
}

/** It is not shown, or what showed it does not complete: in video an image may be looked at after the acknowledgement. */
function neverSelected(talk: Talk, { at, id }: Refusal, shown: Pattern['where']): Condition {
  const completed = event('session.update.done', {
    '/request_event_id': { $in: [id], $absent: true },
    '/status': 'completed',
  })
  return any(talk.never(event('session.updated', shown), at, talk.after(1)), talk.never(completed, at, talk.after(1)))
}

/** One avatar between two that are whole: a service that looks at one end of the list alone finds nothing wrong there. */
function amongWhole(context: Context, avatar: JsonObject): JsonObject {
  const fine = () => ({ avatar_id: context.id('fine'), visual: faceOf(imageFrom(context, 'face')) })
  return { avatars: [fine(), avatar, fine()] }
}

function imageFaults(context: Context): readonly (readonly [row: Row, avatar: JsonObject])[] {
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

/** @param known the same voice was taken when the session was created */
async function addVoices(talk: Talk, known: Condition): Promise<void> {
  const one = (changes = {}) => ({ avatars: [speaker(talk.context, changes)] })
  const rows: readonly Row[] = ['avatar-add.voice-accepted']
  const write = ({ answer, confirmed }: Said) => {
    const shown = equals(inEvent(answer, '/avatars/**'), value(voice.provider_voice_id))
    talk.claim('avatar-added.voice-effective', shown, { given: [confirmed], choice: true })
  }
  const plain = await add(talk, 'avatar.add', one(), { rows, options: { given: [known], choice: true }, write })
  for (const [row, speed] of [
    ['avatar-add.voice-speed-minimum-accepted', 0.7],
    ['avatar-add.voice-speed-maximum-accepted', 1.2],
  ] as const) {
    await add(talk, 'avatar.add', one({ speed }), { rows: [row], options: { given: [plain], choice: true } })
  }
  for (const [row, fault] of [
    ['avatar-add.voice-provider-missing-rejected', { provider: undefined }],
    ['avatar-add.voice-provider-voice-id-missing-rejected', { provider_voice_id: undefined }],
    ['avatar-add.voice-model-missing-rejected', { model: undefined }],
    ['avatar-add.voice-speed-below-minimum-rejected', { speed: 0.69 }],
    ['avatar-add.voice-speed-above-maximum-rejected', { speed: 1.21 }],
  ] as const) {
    const faulty = { avatars: [speaker(talk.context), speaker(talk.context, fault), speaker(talk.context)] }
    await refuseAvatars(talk, [row], faulty, { given: [plain], choice: true })
  }
}
