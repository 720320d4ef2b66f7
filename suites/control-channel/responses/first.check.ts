import type { Scenario } from '#scenario/author/scenario'
import { event } from '#trace/conditions'
import { host, speech, textChat } from '../bodies.ts'
import { enter } from '../connection/knock.ts'
import { seenInSpeech } from './rows.ts'
import { finish, start } from './responses.ts'
import { rows } from '../rows.ts'
import type { Talk } from '../talk.ts'
import { type Update, update } from '../updates/updates.ts'

/** Time for what a fresh connection gets unasked, in milliseconds. */
const momentMs = 200

/** The least that a control channel is for: it opens, takes an update and speaks. */
export const firstWords: Scenario = {
  id: 'control-channel.first-words',
  tier: 'smoke',
  proves: [
    ...rows(
      'admission.query-token-admitted',
      'error.unasked-none',
      'session-update.accepted-yields-updated',
      'session-update.accepted-yields-done',
      'session-update.active-avatar-applied',
      'script-speech.accepted',
      'script-speech.text-done-exact',
      'script-speech.text-streamed',
      'session-updated.only-when-applied',
      'response-create.yields-created',
    ),
    ...seenInSpeech,
  ],
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = await enter(context, session, ['admission.query-token-admitted'])
    const id = context.id('update')
    await talk.channel.watch(momentMs)
    const write = (it: Update) => {
      const given = { given: [it.confirmed] }
      const unasked = event('error', { '/error/event_id': id })
      talk.claim('error.unasked-none', talk.never(unasked, talk.opened), given)
      const early = talk.never(event('session.updated'), talk.opened, it.at)
      talk.claim('session-updated.only-when-applied', early, given)
      talk.claim('session-update.accepted-yields-updated', it.confirmed)
      talk.claim('session-update.accepted-yields-done', it.settled, given)
      talk.claim('session-update.active-avatar-applied', it.shows({ active_avatar_id: host }))
    }
    await update(talk, { active_avatar_id: host }, { id, write })
    await speakFirst(talk, 'Hello, and welcome to the show.')
    await talk.leave()
  },
}

/** Nothing is known of an opening here, so the text tells which response is ours. */
async function speakFirst(talk: Talk, text: string): Promise<void> {
  const started = await start(talk, speech(text), (asked) => {
    const from = { event: asked.created }
    const spoken = event('response.output_text.done', { '/text': text })
    const given = { given: [asked.started] }
    talk.claim(['response-create.yields-created', 'script-speech.accepted'], asked.started)
    talk.claim(
      'script-speech.text-done-exact',
      talk.inTime(spoken, from, undefined, { instead: [event('response.done')] }),
      given,
    )
    talk.claim(
      'script-speech.text-streamed',
      talk.inTime(event('response.output_text.delta'), from, undefined, { instead: [event('response.done')] }),
      given,
    )
    talk.claim('error.unasked-none', talk.never(event('error', { '/error/event_id': asked.id }), talk.opened), given)
  })
  await finish(talk, started)
}
