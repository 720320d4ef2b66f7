import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawTarget, type RawChannel, textBody } from '#testing/raw-target/raw-target'
import type { JsonObject } from '#target/wire'
import { validationTables } from './tables.ts'

let raw: RawTarget
let channel: RawChannel

beforeAll(async () => {
  raw = await RawTarget.open()
  channel = (await raw.session(textBody())).channel
})
afterAll(() => raw.stop())

const script = (fields: unknown, beside: JsonObject = {}): JsonObject => ({ script: fields, ...beside })
const speech = { type: 'speech', text: 'Hi' }
const spoken = (beside: JsonObject): JsonObject => script({ vocal: speech }, beside)
const vocal = (fields: JsonObject): JsonObject => script({ vocal: fields })
const audio = (fields: JsonObject): JsonObject => vocal({ type: 'audio', mime_type: 'audio/wav', ...fields })
const visual = (fields: unknown): JsonObject => script({ vocal: speech, visual: fields })
const tool = (fields: JsonObject): JsonObject => ({ tools: [{ type: 'function', name: 'f', ...fields }] })
const URL = 'https://media.example.com/a.wav'
const WAV = Buffer.from('RIFF0000WAVEfmt ').toString('base64')
const gone = undefined

/** A response for each rule that breaks this rule and no other. */
const FAULTS: Record<string, unknown> = {
  'response-not-object': 'x',
  'conversation-unknown': { conversation: 'later' },
  'policy-unknown': { scheduling_policy: 'now' },
  'instructions-not-string': { instructions: 1 },
  'tokens-not-valid': { max_output_tokens: 'many' },
  'input-not-array': { input: {} },
  'input-not-objects': { input: ['x'] },
  'reference-id-missing': { input: [{ type: 'item_reference' }] },
  'reference-unknown': { input: [{ type: 'item_reference', id: 'nobody' }] },
  'tools-not-array': { tools: {} },
  'tools-not-objects': { tools: ['f'] },
  'tool-type-missing': tool({ type: gone }),
  'tool-type-mcp': tool({ type: 'mcp' }),
  'tool-type-not-function': tool({ type: 'web_search' }),
  'tool-name-missing': tool({ name: gone }),
  'tool-name-not-string': tool({ name: 1 }),
  'tool-description-not-string': tool({ description: 1 }),
  'tool-parameters-not-object': tool({ parameters: '{}' }),
  'script-not-object': script('x'),
  'script-with-input': spoken({ input: [] }),
  'script-with-instructions': spoken({ instructions: 'x' }),
  'script-with-tools': spoken({ tools: [] }),
  'script-with-tokens': spoken({ max_output_tokens: 5 }),
  'script-empty': script({}),
  'vocal-not-object': script({ vocal: 'x' }),
  'vocal-type-unknown': vocal({ type: 'song' }),
  'speech-text-missing': vocal({ type: 'speech' }),
  'speech-text-not-string': vocal({ type: 'speech', text: 1 }),
  'speech-asset-missing': vocal({ type: 'speech_asset' }),
  'speech-asset-unknown': vocal({ type: 'speech_asset', speech_text_asset_id: 'x' }),
  'audio-asset-missing': vocal({ type: 'audio_asset' }),
  'audio-asset-unknown': vocal({ type: 'audio_asset', audio_asset_id: 'x' }),
  'audio-type-missing': audio({ mime_type: gone, url: URL }),
  'audio-type-unknown': audio({ mime_type: 'audio/ogg', url: URL }),
  'audio-both': audio({ url: URL, audio: WAV }),
  'audio-neither': audio({}),
  'audio-url-not-https': audio({ url: 'http://media.example.com/a.wav' }),
  'audio-data-url': audio({ audio: `data:audio/wav;base64,${WAV}` }),
  'audio-not-base64': audio({ audio: '***' }),
  'audio-bytes-mismatch': audio({ mime_type: 'audio/mpeg', audio: WAV }),
  'visual-not-object': visual('x'),
  'visual-both': visual({ prompt: 'Wave.', visual_prompt_asset_id: 'v' }),
  'visual-neither': visual({ duration_ms: 100 }),
  'visual-prompt-invalid': visual({ prompt: '' }),
  'visual-asset-not-string': visual({ visual_prompt_asset_id: 1 }),
  'visual-asset-unknown': visual({ visual_prompt_asset_id: 'x' }),
  'visual-duration-invalid': visual({ prompt: 'Wave.', duration_ms: 0 }),
  'visual-in-text-chat': script({ visual: { prompt: 'Wave.' } }),
}

test('there is an example for every rule of response.create', () => {
  expect(Object.keys(validationTables().responseCreate).filter((id) => !(id in FAULTS))).toEqual([])
})

test.each(Object.entries(FAULTS))('%s is refused for that reason', async (id, response) => {
  channel.send({ type: 'response.create', event_id: id, response })
  const error = await channel.until((event) => event['type'] === 'error' && JSON.stringify(event).includes(`"${id}"`))
  expect(error['error']).toMatchObject({ event_id: id, message: expect.stringContaining(`(${id})`) })
})

test('items of the input are held to the rules of items', async () => {
  channel.send({ type: 'response.create', event_id: 'item', response: { input: [{ type: 'message', role: 'user' }] } })
  const error = await channel.until((event) => JSON.stringify(event).includes('"item"'))
  expect(error['error']).toMatchObject({ message: expect.stringContaining('(content-missing)') })
})
