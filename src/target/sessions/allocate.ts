import type { CreateInput } from '../behaviour/validations/create-session.ts'
import type { Account } from '../keys.ts'
import { fillVoice } from '../voices/used-voice.ts'
import type { Service } from '../service.ts'
import { isWire, textOf, type JsonObject } from '../wire.ts'
import { armAutoClose, armExpiry } from './clocks.ts'
import { ASSET_KINDS, type AssetStore, type Session, type SessionPlan } from './session.ts'

function planOf(service: Service, account: Account, input: CreateInput): SessionPlan {
  const { create, limits, registry } = service.behaviour
  const { body, mode, avatars, maxDuration } = input
  const pipeline = body['pipeline_config']
  return {
    model: textOf(body['model']) ?? '',
    region: create.region(body),
    state: {
      mode,
      activeAvatarId: input.activeAvatarId ?? '',
      sourceImageId: mode === 'text_chat' ? null : (input.sourceImageId ?? null),
    },
    output: create.output(body, mode, limits),
    transport: create.transport(body),
    autoClose: create.autoClose(body, limits, maxDuration),
    maxDurationSeconds: maxDuration,
    pipeline: isWire(pipeline) ? fillVoice(service, account, pipeline) : undefined,
    conversation: create.conversation(body),
    assets: create.assets(body),
    avatars: avatars.map((avatar) => registry.effectiveAvatar(avatar)),
    characterId: input.characterId,
  }
}

function assetStore(service: Service, assets: JsonObject | undefined): AssetStore {
  const store: AssetStore = { images: new Map(), audio: new Map(), speech_text: new Map(), visual_prompts: new Map() }
  for (const kind of ASSET_KINDS)
    for (const asset of service.behaviour.registry.initial(assets, kind))
      store[kind].set(String(asset['asset_id']), asset)
  return store
}

export function mediaOf(service: Service, sessionId: string, transport: string): JsonObject {
  const { media } = service.behaviour
  const facts = { sessionId, random: service.random }
  const details = media.given(transport).map((name) => [name, media.variants[name]?.(facts) ?? {}] as const)
  return { transport: media.announced(transport), ...Object.fromEntries(details) }
}

/** Makes the session and starts its clocks. */
export function allocate(service: Service, account: Account, input: CreateInput): Session {
  const { ids, lifecycle } = service.behaviour
  const plan = planOf(service, account, input)
  const id = ids.session(service.random)
  const createdAt = Date.now()
  const session: Session = {
    id,
    secret: ids.secret(service.random, account),
    account,
    plan,
    media: mediaOf(service, id, plan.transport),
    createdAt,
    expiresAt: createdAt + lifecycle.expiryMs(plan.maxDurationSeconds, plan),
    status: lifecycle.initial,
    clock: service.clock,
    past: [{ status: lifecycle.initial, since: service.clock() }],
    closeReason: undefined,
    askedToClose: false,
    state: plan.state,
    conversation: plan.conversation,
    avatars: [...plan.avatars],
    assets: assetStore(service, plan.assets),
    items: [],
    connections: new Set(),
    everConnected: false,
    lastClose: undefined,
    lastForm: undefined,
    tally: { sent: 0, accepted: 0, refused: 0, stalled: [] },
    updates: new Set(),
    response: undefined,
    pending: [],
    responses: 0,
    clocks: {},
  }
  service.sessions.set(id, session)
  armExpiry(service, session)
  armAutoClose(service, session)
  return session
}
