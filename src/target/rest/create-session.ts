import type { AssetsInput } from '../behaviour/rules/assets.ts'
import type { AvatarsInput } from '../behaviour/rules/avatars.ts'
import type { ConversationInput } from '../behaviour/rules/conversation.ts'
import { type CreateInput, readCreate } from '../behaviour/rules/create-session.ts'
import type { PipelineInput } from '../behaviour/rules/pipeline.ts'
import type { RuleTable } from '../behaviour/rules/rule.ts'
import { Refusal } from '../refusal.ts'
import { drawSession, type Service } from '../service.ts'
import { textOf, type Wire } from '../wire.ts'
import { readJson } from './body.ts'
import { carryThrough, refusedWith, remember } from './creation.ts'
import { holdToRules } from './hold-to-rules.ts'
import type { RestRequest } from './request.ts'

/** The rules of a create, by the noun that they judge. */
interface CreateTables {
  avatars: RuleTable<AvatarsInput>
  session: RuleTable<CreateInput>
  assets: RuleTable<AssetsInput>
  conversation: RuleTable<ConversationInput>
  pipeline: RuleTable<PipelineInput>
}

/** 30004: "incomplete avatar definitions, invalid initial session state; unsupported model, output …". */
export function holdToTables(tables: CreateTables, input: CreateInput): void {
  const { body, avatars, limits } = input
  holdToRules(tables.avatars, { given: body['avatars'], avatars, limits })
  holdToRules(tables.session, input)
  holdToRules(tables.assets, { given: body['assets'], limits })
  holdToRules(tables.conversation, { given: body['conversation'], limits })
  holdToRules(tables.pipeline, { given: body['pipeline_config'], limits })
}

/** The rules of Create Session; looked up for each create. */
const tablesOf = ({ behaviour: { rules } }: Service): CreateTables => ({
  avatars: rules.avatars,
  session: rules.createSession,
  assets: rules.createAssets,
  conversation: rules.conversation,
  pipeline: rules.pipeline,
})

export function readBody(service: Service, bytes: Buffer): Wire {
  const { create } = service.behaviour
  const body = readJson(bytes) ?? create.unparsable(bytes)
  if (body === undefined) throw new Refusal('30004', 'the body is not a JSON object')
  return create.read(body)
}

export function scopedKey(service: Service, { account, operation }: RestRequest, body: Wire): string | undefined {
  const { idempotency } = service.behaviour
  const key = textOf(body['idempotency_key']) || idempotency.keyless
  if (key === undefined || !idempotency.honoured) return undefined
  return idempotency.scope(account, idempotency.named(operation, key))
}

/** 4.1 POST `/v1/realtime-avatar/sessions`. */
export async function createSession(service: Service, request: RestRequest): Promise<unknown> {
  const { create, limits, views } = service.behaviour
  const body = readBody(service, request.body)
  const input = readCreate(body, create, limits)
  const scoped = scopedKey(service, request, body)
  const { session, replayed } = await carryThrough(service, {
    request,
    input,
    scoped,
    validate: () => holdToTables(tablesOf(service), input),
  })
  return drawSession(service, replayed ? views.replayed : views.created, session)
}

/** Binds a create that never came so far to its key. */
export function rememberRefused(service: Service, request: RestRequest, error: unknown): void {
  const body = readJson(request.body)
  if (body !== undefined) remember(service, scopedKey(service, request, body), refusedWith(error))
}
