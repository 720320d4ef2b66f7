import { type DrawnBodies, judgeDrawn } from '#judge/refused-values'
import type { Rule } from '#judge/rule'
import { moderationCode } from '#spec/code-groups'
import { at, type Json } from '#trace/json'
import { propertyIds } from './moves.ts'

/** Video, voices, languages, bounds of durations, and what 4.2 does not name of `conversation`: nothing that every service takes. */
function mayLack(body: Json): boolean {
  const places = [
    '/pipeline_config',
    '/max_duration_seconds',
    '/conversation/response_defaults',
    '/conversation/input_audio_transcription/language',
    '/character_id',
  ]
  const [mode, model] = [at(body, '/session/mode'), at(body, '/model')]
  return (
    mode !== 'text_chat' ||
    model !== 'svc-a1-stream' ||
    places.some((place) => at(body, place) !== undefined) ||
    at(body, '/conversation/turn_detection/type') === 'server_vad'
  )
}

const creates: DrawnBodies = {
  operation: 'create-character',
  shape: 'rest/create-character.request',
  row: 'characters.create.text-chat-accepted',
  aside: [moderationCode],
  mayLack,
}

/** Of a replace, 20005 tells of the character. */
const replaces: DrawnBodies = {
  operation: 'replace-character',
  shape: 'rest/replace-character.request',
  row: 'characters.replace.accepted',
  aside: [moderationCode, 20005],
  alike: ['create-character'],
  mayLack,
}

/** Characters that are drawn over the documented range are saved. */
export const drawnCharacters: Rule = {
  id: 'characters.drawn',
  proves: [creates.row, replaces.row],
  judge(trace, report) {
    for (const drawn of [creates, replaces]) judgeDrawn(trace, drawn, propertyIds, report)
  },
}
