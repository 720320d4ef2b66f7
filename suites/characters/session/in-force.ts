import { isObject, type Json } from '#trace/json'
import { shows } from '../echo.ts'

/** Settings whose value in a session may be another one than was saved: what is shown is what is in force (2.1: "Effective"). */
const mayDiffer: { readonly [name: string]: (shown: Json | undefined, saved: Json) => boolean } = {
  max_output_tokens: (shown, saved) => Number(shown) > 0 && Number(shown) < Number(saved),
  type: (shown) => shown === 'manual',
  enabled: (shown) => shown === false,
  language: (shown) => typeof shown === 'string' && shown !== '',
}

/** What stands on a setting, and says nothing where another value of it is in force. */
const standsOn: { readonly [name: string]: string } = { silence_duration_ms: 'type', language: 'enabled' }

const places: readonly string[] = ['response_defaults', 'turn_detection', 'input_audio_transcription'].map(
  (name) => `/conversation/${name}`,
)

/** Whether a session shows a saved group of settings, or what may be in force in its place. */
export function isInForce(place: string, saved: Json, shown: Json | undefined): boolean {
  if (!places.includes(place) || !isObject(saved) || !isObject(shown)) return false
  const differs = (name: string): boolean =>
    saved[name] !== undefined && shown[name] !== saved[name] && mayDiffer[name]?.(shown[name], saved[name]) === true
  const due = Object.entries(saved).filter(([name]) => !differs(name) && !differs(standsOn[name] ?? name))
  return shows(shown, Object.fromEntries(due))
}
