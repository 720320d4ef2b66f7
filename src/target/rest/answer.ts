import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { identify, limitRate } from './admit.ts'
import { readJson } from './body.ts'
import { createCharacter, deleteCharacter, getCharacter, replaceCharacter } from './characters.ts'
import { createSessionFromCharacter } from './create-from-character.ts'
import { createSession, rememberRefused } from './create-session.ts'
import { uploadAudio } from './files.ts'
import { createWorldSession, rememberLimitedWorld } from './create-world-session.ts'
import { listCharacters } from './list-characters.ts'
import type { OperationId } from './operations.ts'
import { type RestReply, failureAnswer, successAnswer } from './reply.ts'
import type { IncomingRest, RestRequest } from './request.ts'
import { closeSession, getSession, listSessions } from './sessions.ts'
import { cloneVoice, getVoice, listVoices } from './voices.ts'
import { closeWorldSession, createClientSecret, getWorldSession } from './world-sessions.ts'

type Handler = (service: Service, request: RestRequest) => unknown

const HANDLERS: Record<OperationId, Handler> = {
  'create-avatar-session': createSession,
  'list-avatar-sessions': listSessions,
  'get-avatar-session': getSession,
  'close-avatar-session': closeSession,
  'create-session-from-character': createSessionFromCharacter,
  'create-character': createCharacter,
  'list-characters': listCharacters,
  'get-character': getCharacter,
  'replace-character': replaceCharacter,
  'delete-character': deleteCharacter,
  'upload-audio': uploadAudio,
  'clone-voice': cloneVoice,
  'list-voices': listVoices,
  'get-voice': getVoice,
  'create-world-session': createWorldSession,
  'get-world-session': getWorldSession,
  'create-client-secret': createClientSecret,
  'close-world-session': closeWorldSession,
}

/** One request from its key to its envelope. */
export async function answerRequest(service: Service, incoming: IncomingRest): Promise<RestReply> {
  const { operation } = incoming
  try {
    await actFirst(service, incoming)
    const account = identified(service, incoming)
    service.requests.set(account.name, (service.requests.get(account.name) ?? 0) + 1)
    await passRateLimit(service, { ...incoming, account })
    const data = await handle(service, { ...incoming, account })
    await service.timers.wait(service.behaviour.http.holdsMs(operation))
    return successAnswer(service, operation, data)
  } catch (error) {
    return faultAnswer(service, operation, error)
  }
}

async function handle(service: Service, request: RestRequest): Promise<unknown> {
  try {
    const fails = service.behaviour.http.failsInside(request.operation)
    if (fails === 'before') throw new Error('a step of the service failed')
    const data = await HANDLERS[request.operation](service, request)
    if (fails === 'after') throw new Error('the last step of the service failed')
    return data
  } catch (error) {
    const { rate } = service.behaviour
    const state = service.rates.get(rate.scope(request.account))
    if (state !== undefined) rate.afterFailure(state)
    throw error
  }
}

function identified(service: Service, incoming: IncomingRest): Account {
  try {
    return identify(service, incoming)
  } catch (error) {
    if (service.behaviour.access.looksFirst) lookFirst(service, incoming)
    throw error
  }
}

/** Refuses what is plainly at fault whoever asks: of two faults at once either may be told. */
function lookFirst(service: Service, { operation, sessionId, param, body }: IncomingRest): void {
  const unknown = (store: ReadonlyMap<string, unknown>, id: string): boolean => id !== '' && !store.has(id)
  const sessions = operation.includes('avatar') ? service.sessions : service.worlds.sessions
  if (unknown(sessions, sessionId) || unknown(service.characters, param('character_id'))) throw new Refusal('20005', '')
  const takesJson = /^(?:create-(?!client)|replace|clone)/u.test(operation)
  if (takesJson && Object.keys(readJson(body) ?? {}).length === 0) throw new Refusal('30004', 'body')
}

async function actFirst(service: Service, incoming: IncomingRest): Promise<void> {
  const { access } = service.behaviour
  const credential = access.credential(incoming.headers.authorization, incoming.headers)
  if (access.actsFirst(incoming.operation, credential)) await carryOut(service, incoming, service.keyring.primary)
}

/** Carries a request out without telling anybody how it went. */
async function carryOut(service: Service, incoming: IncomingRest, account: Account): Promise<void> {
  try {
    await HANDLERS[incoming.operation](service, { ...incoming, account })
  } catch {
    // The answer is another one.
  }
}

async function passRateLimit(service: Service, request: RestRequest): Promise<void> {
  try {
    limitRate(service, request.operation, request.account)
  } catch (error) {
    if (service.behaviour.rate.actsAnyway(request.operation)) await carryOut(service, request, request.account)
    rememberLimitedWorld(service, request, error)
    if (service.behaviour.idempotency.remembersRateLimit) rememberRefused(service, request, error)
    throw error
  }
}

export function faultAnswer(service: Service, operation: string, error: unknown): RestReply {
  if (error instanceof Refusal) return failureAnswer(service, operation, error)
  const { http } = service.behaviour
  return { operation, status: http.internalStatus, envelope: http.internal(), retryAfter: undefined }
}
