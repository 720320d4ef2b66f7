import { begin } from '../responses/life.ts'
import { planResponse } from '../responses/plan.ts'
import type { Service } from '../service.ts'
import { stir } from '../sessions/clocks.ts'
import { isWire } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { emit, emitRaw } from './emit.ts'

/** What this service sends to a fresh connection by itself. */
export function greet(service: Service, connection: Connection): void {
  for (const event of service.behaviour.extras.greeting(connection.session)) emitRaw(service, connection, event)
  playOpening(service, connection)
  if (connection.session.everConnected) return
  speakOpening(service, connection)
  speakAsUser(service, connection)
}

/** An opening that is a response which nobody asked for. */
function speakOpening(service: Service, { session }: Connection): void {
  const { spokenOpening } = service.behaviour.extras
  if (spokenOpening === undefined) return
  const script = { vocal: { type: 'speech', text: spokenOpening.text } }
  service.timers.after(spokenOpening.afterMs, () => {
    if (session.status !== 'active' || session.responses > 0) return
    begin(service, session, planResponse(service, session, { response: { script } }), 'idle')
  })
}

/** "Terminal result of the opening; may be replayed to a new control connection." */
function playOpening(service: Service, connection: Connection): void {
  const { opening, replaysOpening, openingMs } = service.behaviour.extras
  if (opening === undefined || (connection.session.everConnected && !replaysOpening)) return
  service.timers.after(openingMs, () =>
    emit(service, connection.session, 'session.bootstrap.opening.done', opening, [connection]),
  )
}

/** Simulated user speech: no RTC audio reaches this target, so the words are its own. */
function speakAsUser(service: Service, connection: Connection): void {
  const { userSpeech } = service.behaviour.extras
  if (userSpeech === undefined) return
  const { session } = connection
  const itemId = service.behaviour.ids.item(service.random, session)
  service.timers.after(userSpeech.afterMs, () => {
    stir(service, session, 'user_speech')
    emit(service, session, 'input_audio.speech_started', { itemId, atMs: userSpeech.afterMs })
  })
  service.timers.after(userSpeech.afterMs + 40, () => {
    emit(service, session, 'input_audio.speech_stopped', { itemId, atMs: userSpeech.afterMs + 40 })
    transcribe(service, connection, itemId)
  })
}

/** "Partial transcript (transcription enabled)." */
function transcribe(service: Service, { session }: Connection, itemId: string): void {
  const { userSpeech } = service.behaviour.extras
  const asked = session.plan.conversation['input_audio_transcription']
  if (userSpeech === undefined) return
  if (!userSpeech.unasked && !(isWire(asked) && asked['enabled'] === true)) return
  if (userSpeech.fails) {
    const message = 'the speech could not be understood'
    emit(service, session, 'conversation.item.input_audio_transcription.failed', { itemId, message })
    return
  }
  for (const word of userSpeech.transcript.split(/(?<= )/u))
    emit(service, session, 'conversation.item.input_audio_transcription.delta', { itemId, delta: word })
  const { transcript } = userSpeech
  emit(service, session, 'conversation.item.input_audio_transcription.completed', { itemId, transcript })
}
