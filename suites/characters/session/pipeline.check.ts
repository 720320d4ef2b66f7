import { fullText } from '#scenario/author/bodies'
import { pickKey } from '#scenario/author/pick-key'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { type Terms } from '#scenario/author/expectation'
import { eachRowOnce } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, answer, asked, different, echoes } from '#trace/conditions'
import { at, type Json, type JsonObject, listAt } from '#trace/json'
import { beginAndClose, get, mustSave, needsCharacters, replace, save } from '../acts.ts'
import { ada, bea, cleo, lookUp, pairCharacter, textCharacter, without } from '../bodies.ts'
import { type Bench, refuseLate, validated } from './late.ts'

const ttsMissing = 'characters.create.tts-config-missing-refused'
const voiceEmpty = 'characters.create.tts-voice-id-empty-refused'

/** With and without what a fault takes away the bodies are the same; an invented voice may be refused. */
const refusePipelines = step(
  [ttsMissing, voiceEmpty, validated],
  async (c, bench: Bench, { spoken, invented }: { readonly spoken: JsonObject; readonly invented: boolean }) => {
    const whole = spoken['pipeline_config'] as JsonObject
    const invention = invented ? { mayBeRefused: accepted(bench.saved) } : {}
    for (const [row, pipeline_config] of [
      [ttsMissing, without(whole, 'tts_config')],
      [voiceEmpty, { ...whole, tts_config: { tts_voice_id: '' } }],
    ] as const) {
      if (!c.takes(row)) continue
      const body = { ...spoken, name: c.id('faulty'), pipeline_config }
      await refuseLate(c, bench, body, { row, change: (one) => one, again: true, ...invention })
    }
  },
)

const incomplete = 'characters.create.voice-incomplete-refused'

/** One of the three fields is missing, each in turn, in the voice of an avatar between two whose voices are whole. */
const refuseVoices = step([incomplete, validated], async (c, bench: Bench) => {
  if (!c.offers('video')) return
  const mayBeRefused = accepted(bench.saved)
  for (const field of ['model', 'provider_voice_id', 'provider']) {
    const body = voicedCharacter(c, without(ownVoice, field))
    await refuseLate(c, bench, body, { row: incomplete, change: (one) => one, mayBeRefused, again: true })
  }
})

function voicedCharacter(c: Context, voice: JsonObject = ownVoice): JsonObject {
  const session = { mode: 'text_chat', active_avatar_id: bea }
  const avatars = [ada, bea, cleo].map((avatar_id) => ({ avatar_id, voice: avatar_id === bea ? voice : ownVoice }))
  return { ...textCharacter(c, 'voiced'), session, avatars }
}

function voiceless(c: Context): JsonObject {
  const body = voicedCharacter(c)
  return { ...body, avatars: listAt(body, '/avatars').map((avatar) => without(avatar as JsonObject, 'voice')) }
}

/** A voice of one avatar (2.3); a service may know of no such voice. */
const ownVoice: JsonObject = { provider: 'builtin', provider_voice_id: 'narrator', model: 'standard', speed: 1.1 }

const echoed = {
  'characters.configuration.tts-echoed': '/pipeline_config/tts_config',
  'characters.configuration.pipeline-echoed': '/pipeline_config/llm_config',
} as const
const gone = 'characters.replace.pipeline-config-gone'

const observed = [
  'characters.configuration.avatars-echoed',
  'characters.create.returned-by-get',
  'characters.replace.returns-written',
  'characters.replace.conversation-gone',
  'characters.replace.nested-gone',
  'characters.replace.active-avatar-id-gone',
  'characters.replace.avatar-members-gone',
  'characters.replace.omitted-gone-from-sessions',
  'characters.session.active-avatar-sole',
  'characters.session.avatars-saved',
] as const satisfies readonly RequirementId[]

/** A pipeline configuration and a conversation, and a replace without either. Which voices are known is not shown. */
export const pipeline = scenario({
  id: 'characters.pipeline',
  needs: needsCharacters,
  steps: [refusePipelines, refuseVoices],
  claims: [...rowsIn(echoed), gone],
  observes: observed,
  price: { requests: { same_workspace: 33 }, typical: 24, sessions: { same_workspace: 2 } },
  optional: eachRowOnce([
    { id: ttsMissing, rows: [ttsMissing, validated], requests: 2 },
    { id: voiceEmpty, rows: [voiceEmpty, validated], requests: 2 },
    { id: incomplete, rows: [incomplete, validated, 'characters.replace.avatar-members-gone'], requests: 11 },
    { id: 'reads', rows: [], also: [...rowsIn(echoed), gone, ...observed], requests: 3 },
  ]),
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const voice = await listedVoice(c, key)
    const whole: JsonObject = { ...pairCharacter(c, 'spoken'), conversation: { tools: [lookUp] } }
    const after = c.exchange()
    const { exchange, spoken, ...first } = await saveSpoken(c, whole, voice ?? 'narrator', key)
    const saved: Terms = voice === undefined ? { onlyIf: [accepted(exchange)] } : { given: [accepted(exchange)] }
    // Said beside the rules, since an invented voice may be refused.
    for (const row of rowsIn(echoed)) {
      c.claim(row, echoes(answer(exchange, `/data${echoed[row]}`), asked(exchange, echoed[row])), saved)
    }
    const place = '/pipeline_config/tts_config/tts_voice_id'
    c.claim(gone, different(answer(after, `/data${place}`), asked(exchange, place)), saved)
    const character_id = first.character_id ?? (await mustSave(c, whole, { key }))
    // What comes back right away may not be what was stored; and what a create keeps a replace has to keep as well.
    if (c.takes('reads')) {
      await get(c, character_id, { key })
      await replace(c, character_id, { ...spoken, name: c.id('spoken'), pipeline_config: thinned(spoken) }, { key })
    }
    const own = c.exchange()
    const voiced = c.takes(incomplete) ? await save(c, voicedCharacter(c), { exchange: own, key }) : undefined
    // What a save shows of a voice a session has to have as well.
    if (voiced !== undefined) {
      await beginAndClose(c, { character_id: voiced }, { key })
      // The same avatars without voices: a service that mixes avatars by their ids keeps those of before.
      await replace(c, voiced, voiceless(c), { key })
    }
    const silent = { ...textCharacter(c, 'silent'), avatars: [{ avatar_id: bea }] }
    await replace(c, character_id, silent, { exchange: after, key })
    if (c.takes('reads')) await get(c, character_id, { key })
    const started = c.exchange()
    await beginAndClose(c, { character_id }, { exchange: started, key })
    const bench = { key, id: character_id, saved: exchange, replaced: after, started, begin: async () => {} }
    await refusePipelines(c, bench, { spoken, invented: voice === undefined })
    if (c.takes(incomplete)) await refuseVoices(c, { ...bench, saved: own })
  },
})

function rowsIn<Row extends string>(table: Readonly<Record<Row, string>>): readonly Row[] {
  return Object.keys(table) as Row[]
}

interface Spoken {
  readonly exchange: number
  readonly spoken: JsonObject
  readonly character_id: string | undefined
}

/** Saves a character with all that a pipeline holds; where a service knows no such extensions, with fewer of them. */
async function saveSpoken(c: Context, whole: JsonObject, voice: string, key: KeyName): Promise<Spoken> {
  const saveWith = async (pipeline_config: JsonObject): Promise<Spoken> => {
    const [exchange, spoken] = [c.exchange(), { ...whole, pipeline_config }]
    return { exchange, spoken, character_id: await save(c, spoken, { exchange, key }) }
  }
  const extended = pipelineWith({ tts_voice_id: voice, ...extensions.tts }, extensions.llm)
  const recognised = await saveWith({ ...extended, asr_config: recognition })
  if (recognised.character_id !== undefined) return recognised
  const spoken = await saveWith(extended)
  return spoken.character_id === undefined ? saveWith(pipelineWith({ tts_voice_id: voice }, {})) : spoken
}

/** What is the provider's own: nobody answers at these addresses, which a service may find out. */
const extensions = {
  tts: {
    tts_endpoint: 'https://example.com/speech',
    payload: { style: { mood: 'calm', breaks: [2, 4], readAloud: 'yes' } },
  },
  llm: { llm_base_url: 'https://example.com/v1', llm_model: 'parrot-1', llm_extra_payload: '{"top_p":0.9}' },
} as const

/** Ids of providers are not shown, so that this one may be unknown. */
const recognition: JsonObject = { provider: 'multilingual', language: 'en-US', eou_timeout_ms: '650' }

function pipelineWith(tts_config: JsonObject, llm: JsonObject): JsonObject {
  return {
    tag_audio_enabled: true,
    tts_config,
    motion_enhanced: { prompt: fullText('Nods while speaking.') },
    motion_planner: { prompt: fullText('Blinks while listening.') },
    llm_config: { llm_backend: 'openai', llm_temperature: 0.43, llm_max_output_tokens: 211, ...llm },
  }
}

/** The pipeline of a body without one of its members, and without one of those inside; another one there is 0. */
function thinned({ pipeline_config }: JsonObject): JsonObject {
  const { llm_config, ...rest } = without(pipeline_config as JsonObject, 'tag_audio_enabled')
  return { ...rest, llm_config: { ...without(llm_config as JsonObject, 'llm_max_output_tokens'), llm_temperature: 0 } }
}

async function listedVoice(c: Context, key: KeyName): Promise<string | undefined> {
  if (!c.offers('voices')) return undefined
  const { data } = await c.call('list-voices', { key })
  const voices: Json | undefined = at(data, '/voices')
  const ids = Array.isArray(voices) ? (voices as readonly Json[]).map((voice) => at(voice, '/voice_id')) : []
  return ids.find((id): id is string => typeof id === 'string' && id !== '')
}
