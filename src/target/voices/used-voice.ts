import type { Account } from '../keys.ts'
import type { Service } from '../service.ts'
import { isWire, textOf, type JsonObject, objectAt } from '../wire.ts'
import { refuseInvalid } from '../rest/refuse-invalid.ts'

const voiceIdOf = (pipeline: unknown): string =>
  textOf(objectAt(isWire(pipeline) ? pipeline : {}, 'tts_config')['tts_voice_id']) ?? ''

/** 1.4: "A voice id is used as `pipeline_config.tts_config.tts_voice_id`", by the workspace that cloned it (1.6). */
export function holdToVoices(service: Service, account: Account, pipeline: unknown): void {
  const { validations, limits, voices, access } = service.behaviour
  const id = voiceIdOf(pipeline)
  if (id === '' || voices.public.some((one) => one.id === id)) return
  const voice = service.voices.get(access.kept(account, id))
  const visible = voice !== undefined && access.sees(account, voice.account, 'create-avatar-session')
  refuseInvalid(validations.usedVoices, { id, known: voice !== undefined, visible, voices, limits })
}

/** 2.6: "A cloned `voice_id` resolves to its own provider" and model. */
export function fillVoice(service: Service, account: Account, pipeline: JsonObject): JsonObject {
  const voice = service.voices.get(service.behaviour.access.kept(account, voiceIdOf(pipeline)))
  if (voice === undefined) return pipeline
  return { ...pipeline, tts_config: service.behaviour.voices.filled(objectAt(pipeline, 'tts_config'), voice) }
}
