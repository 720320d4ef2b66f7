import { avatarOf } from '../behaviour/create.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import { textOf, type JsonObject, objectAt, wiresOf } from '../wire.ts'
import type { ResponseKind, ResponsePlan } from './run.ts'

/** What a script says or shows. */
interface Script {
  kind: ResponseKind
  text: string | undefined
  mediaMs: number
}

function readVocal(service: Service, session: Session, vocal: JsonObject): Script {
  const { pace, registry } = service.behaviour
  const kind = textOf(vocal['type']) ?? 'speech'
  if (kind === 'speech') return { kind, text: textOf(vocal['text']) ?? '', mediaMs: 0 }
  if (kind === 'speech_asset') {
    const asset = registry.pick(session, 'speech_text', String(vocal['speech_text_asset_id']))
    return { kind, text: registry.content(asset), mediaMs: 0 }
  }
  const source = kind === 'audio' ? vocal : registry.pick(session, 'audio', String(vocal['audio_asset_id']))
  return { kind: kind === 'audio' ? 'audio' : 'audio_asset', text: undefined, mediaMs: pace.audioMs(source ?? {}) }
}

/** "`duration_ms` … per action segment (not the combined sequence)". */
function readVisual(service: Service, session: Session, visual: JsonObject): Script {
  const { pace, registry, limits } = service.behaviour
  const asset = textOf(visual['visual_prompt_asset_id'])
  const prompt =
    asset === undefined ? visual['prompt'] : registry.content(registry.pick(session, 'visual_prompts', asset))
  const duration = typeof visual['duration_ms'] === 'number' ? visual['duration_ms'] : limits.segmentMs
  return { kind: 'visual', text: undefined, mediaMs: pace.actionsMs(textOf(prompt) ?? '', duration) }
}

/** A vocal part decides how long a script lasts: `duration_ms` "does not change supplied audio length". */
function readScript(service: Service, session: Session, script: JsonObject): Script {
  if (script['vocal'] !== undefined) return readVocal(service, session, objectAt(script, 'vocal'))
  return readVisual(service, session, objectAt(script, 'visual'))
}

/** References become the items they name, complete items stay. */
function readInput(session: Session, response: JsonObject): JsonObject[] | undefined {
  if (response['input'] === undefined) return undefined
  return wiresOf(response['input']).flatMap((item) => {
    if (item['type'] !== 'item_reference') return [item]
    return session.items.filter((stored) => stored['id'] === item['id'])
  })
}

/** Reads a `response.create` into effective inputs as they are now. */
export function planResponse(service: Service, session: Session, event: JsonObject): ResponsePlan {
  const { generation, responses } = service.behaviour
  const response = objectAt(event, 'response')
  const scripted =
    response['script'] === undefined ? undefined : readScript(service, session, objectAt(response, 'script'))
  const avatar = avatarOf(session.avatars, session.state.activeAvatarId)
  return {
    kind: scripted?.kind ?? 'reply',
    requestEventId: textOf(event['event_id']),
    conversation: textOf(response['conversation']),
    state: session.state,
    text: scripted?.text,
    call: undefined,
    acts: objectAt(response, 'script')['visual'] !== undefined,
    mediaMs: scripted?.mediaMs ?? 0,
    maxOutputTokens: responses.maxOutputTokens(response, objectAt(session.conversation, 'response_defaults'), session),
    truncated: false,
    input: readInput(session, response),
    instructions: generation.instructions(response, session, avatar),
    tools: generation.tools(response, session.conversation, session),
  }
}

const wordsOf = (item: JsonObject): string =>
  wiresOf(item['content'])
    .map((part) => textOf(part['text']) ?? textOf(part['transcript']) ?? '')
    .join(' ')

/** Lets the simulated model answer; scripts pass unchanged. */
export function generate(service: Service, session: Session, plan: ResponsePlan): ResponsePlan {
  if (plan.kind !== 'reply') return plan
  const { generation } = service.behaviour
  const context = generation.context(plan.input, session.items)
  const last = context.findLast((item) => item['type'] === 'message' && item['role'] === 'user')
  const answersTool = context.at(-1)?.['type'] === 'function_call_output'
  const userText = last === undefined ? '' : wordsOf(last)
  const call = answersTool ? undefined : generation.calls(userText, plan.tools)
  if (call !== undefined) return { ...plan, kind: 'tool_call', call }
  const facts = { userText, instructions: plan.instructions, turn: session.responses }
  if (generation.fails(facts)) return plan
  const whole = generation.reply(facts)
  const text = generation.truncate(whole, plan.maxOutputTokens)
  return { ...plan, text, truncated: text.length < whole.length }
}
