import { type CreateInput, readCreate } from '../behaviour/rules/create-session.ts'
import { Refusal } from '../refusal.ts'
import { drawSession, type Service } from '../service.ts'
import { textOf, type Wire } from '../wire.ts'
import { readJson } from './body.ts'
import { carryThrough, refusedWith, remember } from './creation.ts'
import { holdToRules } from './hold-to-rules.ts'
import type { RestRequest } from './request.ts'

/** 30004: "incomplete avatar definitions, invalid initial session state; unsupported model, output …". */
export function validate(service: Service, input: CreateInput): void {
  const { rules, limits } = service.behaviour
  const { body, avatars } = input
  holdToRules(rules.avatars, { given: body['avatars'], avatars, limits })
  holdToRules(rules.createSession, input)
  holdToRules(rules.createAssets, { given: body['assets'], limits })
  holdToRules(rules.conversation, { given: body['conversation'], limits })
  holdToRules(rules.pipeline, { given: body['pipeline_config'], limits })
}

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
    validate: () => validate(service, input),
  })
  return drawSession(service, replayed ? views.replayed : views.created, session)
}

/** Binds a create that never came so far to its key. */
export function rememberRefused(service: Service, request: RestRequest, error: unknown): void {
  const body = readJson(request.body)
  if (body !== undefined) remember(service, scopedKey(service, request, body), refusedWith(error))
}
