import type { AssetsInput } from '../behaviour/validations/assets.ts'
import type { AvatarsInput } from '../behaviour/validations/avatars.ts'
import type { ConversationInput } from '../behaviour/validations/conversation.ts'
import { type CreateInput, readCreate } from '../behaviour/validations/create-session.ts'
import type { PipelineInput } from '../behaviour/validations/pipeline.ts'
import type { ValidationTable } from '../behaviour/validations/input-validation.ts'
import { Refusal } from '../refusal.ts'
import { drawSession, type Service } from '../service.ts'
import { textOf, type JsonObject } from '../wire.ts'
import { readJson } from './body.ts'
import { carryThrough, refusedWith, remember } from './creation.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'

/** The validations of a create, by the noun that they judge. */
interface CreateTables {
  avatars: ValidationTable<AvatarsInput>
  session: ValidationTable<CreateInput>
  assets: ValidationTable<AssetsInput>
  conversation: ValidationTable<ConversationInput>
  pipeline: ValidationTable<PipelineInput>
}

/** 30004: "incomplete avatar definitions, invalid initial session state; unsupported model, output …". */
export function holdToTables(tables: CreateTables, input: CreateInput): void {
  const { body, avatars, limits } = input
  refuseInvalid(tables.avatars, { given: body['avatars'], avatars, limits })
  refuseInvalid(tables.session, input)
  refuseInvalid(tables.assets, { given: body['assets'], limits })
  refuseInvalid(tables.conversation, { given: body['conversation'], limits })
  refuseInvalid(tables.pipeline, { given: body['pipeline_config'], limits })
}

/** The validations of Create Session; looked up for each create. */
const tablesOf = ({ behaviour: { validations } }: Service): CreateTables => ({
  avatars: validations.avatars,
  session: validations.createSession,
  assets: validations.createAssets,
  conversation: validations.conversation,
  pipeline: validations.pipeline,
})

export function readBody(service: Service, bytes: Buffer): JsonObject {
  const { create } = service.behaviour
  const body = readJson(bytes) ?? create.unparsable(bytes)
  if (body === undefined) throw new Refusal('30004', 'the body is not a JSON object')
  return create.read(body)
}

export function scopedKey(service: Service, { account, operation }: RestRequest, body: JsonObject): string | undefined {
  const { idempotency } = service.behaviour
  const key = textOf(body['idempotency_key']) || idempotency.keyless
  if (key === undefined || !idempotency.honoured) return undefined
  return idempotency.scope(account, idempotency.named(operation, key, body))
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
