import { pickKey } from '#scenario/author/pick-key'
import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { speakAsset } from '../assets/additions.ts'
import { guide, host, speech, videoAvatar } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { retrieve, seek } from '../items/items.ts'
import { outOfBand, timeSession } from '../responses/busy.ts'
import { cancelAction, cancelReply, cancelSpeech } from '../responses/cancel.ts'
import { asking, completed, quiet, respond } from '../responses/responses.ts'
import { seenInSeveral, seenInSpeech, seenInVideo } from '../responses/rows.ts'
import { rows } from '../rows.ts'
import { playBytes } from '../scripts/audio.ts'
import { expectRendered, showOnceDone } from '../scripts/visual.ts'
import { keepMode } from '../snapshot/mode.ts'
import { claiming, ofOneSession } from '../step.ts'
import { update } from '../updates/updates.ts'
import { comeAndGo, makeFirst, registerFirst } from './on-screen.ts'
import { hearAnnounced, spokenExactly, warmUp } from './speeches.ts'

/** Where a user speaks all the same, no transcript may come. */
export const unheard = { input_audio_transcription: { enabled: false } }

/** A target that cannot voice it may fail; what it completes is what was asked for. */
const speakOnScreen = claiming({
  'script-speech': 'accepted text-done-exact',
  'response-create': 'yields-created',
  'response-done': 'completed-text-whole',
}).step(async (talk, text: string) => {
  await respond(talk, speech(text), (asked) => {
    const exact = onlyIf([asked.started, completed(asked)], spokenExactly(talk, asked, text))
    return {
      'script-speech.accepted': asked.started,
      'response-create.yields-created': asked.started,
      'script-speech.text-done-exact': exact,
      'response-done.completed-text-whole': exact,
    }
  })
  await quiet(talk)
})

/** Out of band, which is shown like any other and not written. */
const speakAside = claiming({ 'render-started': 'for-speech', script: 'none-speech-not-written' }).step(
  async (talk, known: string) => {
    const { itemId: shown = '' } = await respond(talk, speech('This is for everybody.'))
    await quiet(talk)
    await hearAnnounced(talk, shown)
    const { confirmed: found } = await retrieve(talk, shown)
    const aside = await respond(talk, speech('This is between you and me.', outOfBand), (asked) => ({
      'render-started.for-speech': expectRendered(talk, asked),
    }))
    await quiet(talk)
    await seek(talk, aside.itemId ?? '', known, ({ nothing }) => ({
      'script.none-speech-not-written': given([aside.started, found], nothing),
    }))
    await respond(talk, outOfBand)
    await quiet(talk)
  },
)

/** The mode stays `video_avatar` when an update does not name it. */
const stayInVideo = claiming({ 'session-update': 'mode-kept-when-omitted' }).step(async (talk) => {
  for (const active_avatar_id of [host, guide]) {
    await update(
      talk,
      { active_avatar_id },
      {
        inVideo: true,
        expect: (it) => ({
          'session-update.mode-kept-when-omitted': given(it.confirmed, it.shows({ mode: 'video_avatar' })),
        }),
      },
    )
  }
})

/** The mode stays `text_chat` when the next updates do not name it; the conversation is the same in either. */
const switchToText = claiming({
  'session-update': 'text-chat-mode-applied mode-kept-when-omitted active-avatar-applied',
  'item-create': 'stored',
}).step(async (talk, known: string, kept: Condition) => {
  const { confirmed } = await update(talk, { mode: 'text_chat' }, (it) => ({
    'session-update.text-chat-mode-applied': it.shows({ mode: 'text_chat' }),
  }))
  await retrieve(talk, known, (it) => ({ 'item-create.stored': given([kept, confirmed], it.confirmed) }))
  for (const active_avatar_id of [host, guide]) {
    await update(talk, { active_avatar_id }, (it) => ({
      'session-update.mode-kept-when-omitted': given(confirmed, it.shows({ mode: 'text_chat' })),
      'session-update.active-avatar-applied': it.shows({ active_avatar_id }),
    }))
  }
})

/** Registered while in video; the assets of a session are the same in either mode. */
const registered = { id: 'either-mode', text: 'This was written before.' }

const speakOffScreen = claiming({
  render: 'never-in-text-chat no-stop-in-text-chat',
  'asset-add': 'usable-once-confirmed',
}).step(async (talk, added: Condition) => {
  const inText: Condition[] = []
  await update(talk, { active_avatar_id: guide }, (it) => {
    inText.push(it.shows({ mode: 'text_chat' }))
    return {}
  })
  await respond(talk, speech('This is only written.'), ({ started, created, done }) => {
    const none = (type: string) =>
      given([...inText, started], talk.never(event(type), { event: created }, { event: done }))
    return {
      'render.never-in-text-chat': none('response.render.started'),
      'render.no-stop-in-text-chat': none('response.render.stopped'),
    }
  })
  await quiet(talk)
  const { id, text } = registered
  await speakAsset(talk, id, text, { spoken: 'asset-add.usable-once-confirmed', given: [...inText, added] })
  await quiet(talk)
})

/** Over another connection all goes on: what is said is rendered, and can be cancelled. */
const comeBack = claiming({ 'render-started': 'for-speech' }, cancelSpeech).step(async (talk, known: string) => {
  await respond(talk, speech('Did you miss me?'), (asked) => ({
    'render-started.for-speech': expectRendered(talk, asked),
  }))
  await quiet(talk)
  await cancelSpeech(talk, known)
})

/**
 * Speeches and sounds that are rendered, and the way from video to text and back, at last while a response waits. It takes
 * long, so it is made where no other scenario waits to be alone.
 */
export const speechInVideo = ofOneSession({
  id: 'control-channel.speech-in-video',
  steps: [
    makeFirst,
    comeAndGo,
    registerFirst,
    speakOnScreen,
    speakAside,
    playBytes,
    showOnceDone,
    stayInVideo,
    cancelSpeech,
    cancelReply,
    cancelAction,
    switchToText,
    speakOffScreen,
    keepMode,
    comeBack,
    asking,
  ],
  observes: [
    ...seenInSpeech,
    ...seenInVideo,
    ...seenInSeveral,
    ...rows({ 'session-updated': 'media-transport-string media-object' }),
  ],
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { other_workspace: 2 }, sessions: { other_workspace: 1 }, waits: 5 },
  make: (context) =>
    context.create({ ...videoAvatar(context), conversation: unheard }, { key: pickKey(context, 'other_workspace') }),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    await warmUp(talk)
    const { id: known = '', confirmed: kept } = await makeFirst(talk, 'Please watch.')
    await comeAndGo(talk, known, kept)
    await speakOnScreen(talk, 'This is said on the screen.')
    await speakAside(talk, known)
    await showOnceDone(talk, await playBytes(talk))
    await stayInVideo(talk)
    await cancelSpeech(talk, known)
    await cancelReply(talk, known)
    await cancelAction(talk, known)
    const added = await registerFirst(talk, { [registered.id]: registered.text }, known)
    await switchToText(talk, known, kept)
    await speakOffScreen(talk, added)
    await update(talk, { mode: 'video_avatar', active_avatar_id: guide }, { inVideo: true })
    await speakOnScreen(talk, 'And here we are again.')
    await keepMode(talk, await timeSession(talk, 60))
    await talk.leave()
    const again = await scene.connect(session)
    await comeBack(again, known)
    await again.leave()
  },
})
