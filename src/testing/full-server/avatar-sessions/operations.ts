import { bodyOf, type Call, type Service } from '../call.ts'
import { type JsonObject, Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { type Offer, readSessionRequest } from './session-request.ts'
import type { AvatarSession } from './session.ts'
import { createdView, lookedUpView } from './session-view.ts'

/** How long an allocation takes. */
const ALLOCATION_MS = 20

export async function createSession(call: Call, service: Service): Promise<unknown> {
  needAccess(call)
  const body = bodyOf(call, 30004)
  return once(call, service, body, () => readSessionRequest(body, offerTo(call, service)))
}

/** The saved configuration with what this body may put over it. */
export async function createFromCharacter(call: Call, service: Service): Promise<unknown> {
  needAccess(call)
  const body = bodyOf(call, 30004)
  return once(call, service, body, () => {
    if (body.has('avatars')) throw body.bad('avatars', 'must not be sent')
    const saved = service.characters.need(body.words('character_id'), call.account.workspace).configuration
    const merged: JsonObject = { ...saved, ...over(saved, body, 'output'), ...over(saved, body, 'delivery') }
    for (const name of ['model', 'max_duration_seconds', 'recording_mode']) {
      if (body.has(name)) merged[name] = body.bag[name]
    }
    return readSessionRequest(new Reader(merged, 'session', body.complain), offerTo(call, service))
  })
}

function over(saved: JsonObject, body: Reader, name: string): JsonObject {
  const child = body.child(name)
  return child === undefined ? {} : { [name]: { ...(saved[name] as JsonObject | undefined), ...child.bag } }
}

function once(
  call: Call,
  service: Service,
  body: Reader,
  plan: () => ReturnType<typeof readSessionRequest>,
): Promise<unknown> {
  const { account } = call
  const text = call.body.toString('utf8')
  return service.memory.once(`avatar ${account.workspace.name}`, body.string('idempotency_key'), text, async () => {
    const wanted = plan()
    await service.timers.pause(ALLOCATION_MS)
    const session = service.sessions.open(wanted, account)
    return () => createdView(session, service.host)
  })
}

export function offerTo({ account }: Call, service: Service): Offer {
  return {
    textOnly: service.choices.textOnly,
    voiceKnown: (id) => service.voices.find(id, account.workspace) !== undefined,
  }
}

export function needAccess({ account }: Call): void {
  if (account.keyName === 'access_denied') throw new Refusal(10009, 'api access denied')
}

export function getSession(call: Call, { sessions }: Service): unknown {
  return lookedUpView(sessions.need(call.id, call.account.workspace))
}

/** Sessions by their ids. */
export function listSessions({ account }: Call, { sessions, choices }: Service): unknown {
  if (choices.contrary) return sessions.held(account.workspace).map((one) => one.id)
  const view = (one: AvatarSession): [string, unknown] => [one.id, { lifecycle: one.status, model: one.plan.model }]
  return { holding_quota: Object.fromEntries(sessions.held(account.workspace).map(view)) }
}

export function closeSession(call: Call, { sessions, choices }: Service): unknown {
  const session = sessions.need(call.id, call.account.workspace)
  session.close('client_request')
  return choices.contrary ? null : {}
}
