import { isBag, type Reader } from '../reader.ts'

/** Section 2.6. @param voiceKnown whether a voice of this service's own making is there for this workspace */
export function readPipeline(pipeline: Reader, voiceKnown: (id: string) => boolean): void {
  pipeline.flag('tag_audio_enabled')
  const tts = pipeline.needChild('tts_config')
  const voice = tts.words('tts_voice_id')
  if (voice.startsWith('voice_') && !voiceKnown(voice)) throw tts.bad('tts_voice_id', 'is no voice of this workspace')
  for (const name of ['tts_provider', 'tts_model_id', 'tts_endpoint', 'tts_api_key']) tts.string(name)
  tts.child('payload')
  const asr = pipeline.child('asr_config')
  if (asr !== undefined) {
    asr.words('provider')
    asr.string('language')
    const patience = asr.string('eou_timeout_ms')
    if (patience !== undefined && !/^\d+$/.test(patience)) throw asr.bad('eou_timeout_ms', 'is no numeric string')
  }
  const llm = pipeline.child('llm_config')
  if (llm !== undefined) readModel(llm)
  pipeline.child('motion_enhanced')?.string('prompt')
  pipeline.child('motion_planner')?.string('prompt')
}

function readModel(llm: Reader): void {
  llm.choice('llm_backend', ['openai'])
  for (const name of ['llm_base_url', 'llm_model', 'llm_api_key']) llm.string(name)
  llm.number('llm_temperature')
  llm.whole('llm_max_output_tokens', 1)
  const extra = llm.string('llm_extra_payload')
  if (extra !== undefined && extra !== '' && !isBag(parsed(extra))) {
    throw llm.bad('llm_extra_payload', 'is no JSON-encoded object')
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
