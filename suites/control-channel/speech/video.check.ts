import type { Scenario } from '#scenario/author/scenario'
import { equals, event, inEvent, value } from '#trace/conditions'
import { guide, host, speech, userMessage, videoAvatar } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { cancelSpeech } from '../responses/cancel.ts'
import { seenInSeveral, seenInSpeech, seenInVideo } from '../responses/rows.ts'
import { quiet, respond } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { spokenExactly, warmUp } from './speeches.ts'
import { Talk } from '../talk.ts'
import { type Update, update } from '../updates/updates.ts'

/** Speeches that are rendered, and the way from video to text and back. */
/** Where a user speaks all the same, no transcript may come. */
const unheard = { input_audio_transcription: { enabled: false } }

export const speechInVideo: Scenario = {
  id: 'control-channel.speech-in-video',
  proves: [
    ...rows(
      'output-item-done.cut-not-completed',
      'output-item-done.on-cancelled',
      'response-create.yields-created',
      'render.never-in-text-chat',
      'render.no-stop-in-text-chat',
      'response-cancel.active-ends',
      'response-cancel.active-cut-short',
      'response-cancel.status',
      'response-cancel.frees-session',
      'response-cancel.known-type',
      'response-done.completed-text-whole',
      'response-done.final-statuses-told',
      'script-speech.accepted',
      'script-speech.text-done-exact',
      'session-update.mode-kept-when-omitted',
      'session-update.text-chat-mode-applied',
      'session-update.active-avatar-applied',
    ),
    ...seenInSpeech,
    ...seenInVideo,
    ...seenInSeveral,
  ],
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  async drive(context) {
    const session = await context.create({ ...videoAvatar(context), conversation: unheard })
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Please watch.'))
    await speakOnScreen(talk, 'This is said on the screen.')
    await staysInVideo(talk)
    await cancelSpeech(talk, known)
    await switchToText(talk)
    await speakOffScreen(talk)
    await update(talk, { mode: 'video_avatar', active_avatar_id: guide })
    await speakOnScreen(talk, 'And here we are again.')
    await talk.leave()
  },
}

/** A target that cannot voice it may fail; what it completes is what was asked for. */
async function speakOnScreen(talk: Talk, text: string): Promise<void> {
  await respond(talk, speech(text), (asked) => {
    talk.claim(['script-speech.accepted', 'response-create.yields-created'], asked.started)
    const completed = equals(inEvent(asked.done, '/response/status'), value('completed'))
    const exact = spokenExactly(talk, asked, text)
    const options = { given: [asked.started, completed], choice: true }
    talk.claim(['script-speech.text-done-exact', 'response-done.completed-text-whole'], exact, options)
  })
  await quiet(talk)
}

/** The mode stays `video_avatar` when an update does not name it. */
async function staysInVideo(talk: Talk): Promise<void> {
  for (const avatar of [host, guide]) {
    const write = (it: Update) => {
      talk.claim('session-update.mode-kept-when-omitted', it.shows({ mode: 'video_avatar' }), { given: [it.confirmed] })
    }
    await update(talk, { active_avatar_id: avatar }, { write })
  }
}

/** The mode stays `text_chat` when the next updates do not name it. */
async function switchToText(talk: Talk): Promise<void> {
  const applied = (it: Update) => {
    talk.claim('session-update.text-chat-mode-applied', it.shows({ mode: 'text_chat' }))
  }
  await update(talk, { mode: 'text_chat' }, { write: applied })
  for (const avatar of [host, guide]) {
    const write = (it: Update) => {
      talk.claim('session-update.mode-kept-when-omitted', it.shows({ mode: 'text_chat' }))
      talk.claim('session-update.active-avatar-applied', it.shows({ active_avatar_id: avatar }))
    }
    await update(talk, { active_avatar_id: avatar }, { write })
  }
}

async function speakOffScreen(talk: Talk): Promise<void> {
  await respond(talk, speech('This is only written.'), ({ started, created, done }) => {
    const given = { given: [started] }
    const [from, until] = [{ event: created }, { event: done }]
    talk.claim('render.never-in-text-chat', talk.never(event('response.render.started'), from, until), given)
    talk.claim('render.no-stop-in-text-chat', talk.never(event('response.render.stopped'), from, until), given)
  })
  await quiet(talk)
}
