import { show } from '#judge/show'
import { conversationOf } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, type Connection, objectAt, sessionsOf, textAt } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'speech-stopped': 'after-start follows-started',
  'transcription-delta': 'only-when-enabled',
  'transcription-completed': 'once',
})

type Own = (typeof proves)[number]

/** Events about what a user says (6.2); nothing that we send causes them. */
export const speech = ruleOf('speech', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const { enabled } = objectAt(conversationOf(session), 'input_audio_transcription')
    for (const connection of session.connections) {
      judgeSpeech(connection, say)
      judgeTranscripts(connection, enabled, say)
    }
  }
})

function judgeSpeech({ received }: Connection, say: Say<Own>): void {
  const starts = new Map<string, ReceivedEvent>()
  let heard = false
  for (const one of received) {
    const item = textAt(one.event, 'item_id')
    if (one.type === 'input_audio.speech_started' && item !== undefined) starts.set(item, one)
    if (one.type === 'input_audio.speech_stopped' && item !== undefined) judgeStop(one, starts.get(item), heard, say)
    if (one.type?.startsWith('input_audio.') === true) heard = true
  }
}

/** What a connection hears first may have begun before it, and of several each may hear a part (which is not said). */
function judgeStop(stop: ReceivedEvent, start: ReceivedEvent | undefined, heard: boolean, say: Say<Own>): void {
  if (start === undefined) {
    if (heard && !wasStartedElsewhere(stop))
      say.broken('speech-stopped.follows-started', 'a speech_started of its item', 'none', stop)
    return
  }
  say.held('speech-stopped.follows-started', start, stop)
  const [from, to] = [timeOf(start, 'audio_start_ms'), timeOf(stop, 'audio_end_ms')]
  if (from === undefined || to === undefined) return
  say.judge('speech-stopped.after-start', to >= from, `${from} ms or later`, () => `${to} ms`, start, stop)
}

function wasStartedElsewhere({ connection, event, line }: ReceivedEvent): boolean {
  return connection.session.received.some(
    (one) => one.type === 'input_audio.speech_started' && one.line < line && one.event['item_id'] === event['item_id'],
  )
}

/** 64-bit integers may be strings. */
function timeOf({ event }: ReceivedEvent, name: string): number | undefined {
  const value = event[name]
  const time = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(time) ? time : undefined
}

function judgeTranscripts({ received }: Connection, enabled: unknown, say: Say<Own>): void {
  const whole = new Map<string, ReceivedEvent>()
  for (const one of received) {
    if (one.type === 'conversation.item.input_audio_transcription.delta' && typeof enabled === 'boolean') {
      const row = 'transcription-delta.only-when-enabled'
      say.judge(row, enabled, 'none with transcription disabled', () => show(one.event['delta']), one)
    }
    if (one.type !== 'conversation.item.input_audio_transcription.completed') continue
    const part = JSON.stringify([one.event['item_id'], Number(one.event['content_index'])])
    const earlier = whole.get(part)
    if (earlier === undefined) {
      whole.set(part, one)
      say.held('transcription-completed.once', one)
    } else say.broken('transcription-completed.once', 'one final transcript', 'another one', earlier, one)
  }
}
