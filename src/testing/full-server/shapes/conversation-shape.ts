import type { JsonObject, Reader } from '../reader.ts'

/** Section 2.5. */
export function readConversation(conversation: Reader): void {
  conversation.string('instructions')
  for (const tool of conversation.children('tools')) readTool(tool)
  const defaults = conversation.child('response_defaults')
  defaults?.number('temperature', 0, 2)
  defaults?.whole('max_output_tokens', 1)
  const turns = conversation.child('turn_detection')
  turns?.choice('type', ['manual', 'server_vad'])
  turns?.whole('silence_duration_ms')
  const transcription = conversation.child('input_audio_transcription')
  transcription?.flag('enabled')
  transcription?.string('language')
}

/** Function tools only. */
export function readTool(tool: Reader): void {
  tool.need('type')
  tool.choice('type', ['function'])
  tool.words('name')
  tool.string('description')
  tool.child('parameters')
}

/** What holds where nothing was said. */
export function effectiveConversation(sent: JsonObject): JsonObject {
  return {
    input_audio_transcription: { enabled: false },
    turn_detection: { type: 'server_vad' },
    ...sent,
  }
}
