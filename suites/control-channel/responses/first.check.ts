import type { EventRef, Pattern } from '#trace/claim'
import { any, event } from '#trace/conditions'
import { host, speech, textChat } from '../bodies.ts'
import { given } from '../expectation.ts'
import { rows } from '../rows.ts'
import { channelScenario, claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { hearOwn } from '../speech/speeches.ts'
import { update } from '../updates/updates.ts'
import { asking, respond } from './responses.ts'
import { seenInSpeech } from './rows.ts'

/** Time for what a fresh connection gets unasked, in milliseconds. */
const momentMs = 200

const updateFirst = claiming({
  error: 'unasked-none',
  'session-update': 'accepted-yields-updated accepted-yields-done active-avatar-applied',
  'session-updated': 'only-when-applied',
}).step(async (talk) => {
  const id = talk.context.id('update')
  await talk.channel.watch(momentMs)
  await update(
    talk,
    { active_avatar_id: host },
    {
      id,
      expect: (it) => ({
        'error.unasked-none': given(it.confirmed, unasked(talk, id)),
        'session-updated.only-when-applied': given(
          it.confirmed,
          talk.never(event('session.updated'), talk.opened, it.at),
        ),
        'session-update.accepted-yields-updated': it.confirmed,
        'session-update.accepted-yields-done': given(it.confirmed, it.settled),
        'session-update.active-avatar-applied': it.shows({ active_avatar_id: host }),
      }),
    },
  )
})

const unasked = (talk: Talk, id: string) => talk.never(event('error', { '/error/event_id': id }), talk.opened)

/** Nothing is known of an opening here, which may begin as this is asked for: a name or the text tells which is ours. */
const speakFirst = claiming({
  error: 'unasked-none',
  'response-create': 'yields-created',
  'script-speech': 'accepted text-done-exact text-streamed',
}).step(async (talk, text: string) => {
  const finished = await respond(talk, speech(text), ({ at, id, created, started }) => {
    const named = talk.event(event('response.created', { '/request_event_id': id }), at)
    const comes = (match: Pattern) => {
      const after = (from: EventRef) =>
        talk.inTime(match, { event: from }, undefined, { instead: [event('response.done')] })
      return any(after(created), after(named))
    }
    return {
      'response-create.yields-created': started,
      'script-speech.accepted': started,
      'script-speech.text-done-exact': given(started, comes(event('response.output_text.done', { '/text': text }))),
      'script-speech.text-streamed': given(started, comes(event('response.output_text.delta'))),
      'error.unasked-none': given(started, unasked(talk, id)),
    }
  })
  await hearOwn(talk, finished, text)
})

/** The least that a control channel is for: it opens, takes an update and speaks. */
export const firstWords = channelScenario({
  id: 'control-channel.first-words',
  tier: 'smoke',
  claims: rows({ admission: 'query-token-admitted' }),
  steps: [updateFirst, speakFirst, asking],
  observes: seenInSpeech,
  observes_elsewhere: ['errors.channel.snake-case-names'],
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(scene, context) {
    const session = await context.create(textChat())
    const talk = await scene.expectAdmitted(session, ['admission.query-token-admitted'])
    await updateFirst(talk)
    await speakFirst(talk, 'Hello, and welcome to the show.')
    await talk.leave()
  },
})
