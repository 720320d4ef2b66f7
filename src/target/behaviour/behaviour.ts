import type { Ability } from '#spec/profile'
import { access } from './access/access.ts'
import { channel } from './channel.ts'
import { characters } from './characters.ts'
import { conversation } from './conversation.ts'
import { create } from './create.ts'
import { type EventTransform, events } from './events.ts'
import { extras } from './extras.ts'
import { files } from './files.ts'
import { frames } from './frames.ts'
import { generation } from './generation.ts'
import { http } from './http.ts'
import { idempotency } from './access/idempotency.ts'
import { ids } from './ids.ts'
import { lifecycle } from './lifecycle.ts'
import { limits } from './access/limits.ts'
import { media } from './media.ts'
import { pace } from './pace.ts'
import { quota } from './access/quota.ts'
import { rate } from './access/rate.ts'
import { registry } from './access/registry.ts'
import { responses, scheduling } from './responses.ts'
import { validationTables } from './validations/tables.ts'
import { update } from './update.ts'
import { views } from './views.ts'
import { voices } from './voices.ts'
import { world } from './world.ts'

/**
 * All decisions of the reference target: plain values and small pure functions, made anew for each target. A defect or a
 * variation changes some of them before the target starts; the serving code only asks.
 */
export const standardBehaviour = () => ({
  /** Abilities that its profile says it does not offer. */
  lacks: [] as Ability[],
  limits: limits(),
  http: http(),
  access: access(),
  rate: rate(),
  quota: quota(),
  idempotency: idempotency(),
  ids: ids(),
  create: create(),
  validations: validationTables(),
  media: media(),
  views: views(),
  lifecycle: lifecycle(),
  channel: channel(),
  frames: frames(),
  events: events(),
  /** The last word on every outgoing event. */
  outgoing: [] as EventTransform[],
  registry: registry(),
  update: update(),
  conversation: conversation(),
  responses: responses(),
  scheduling: scheduling(),
  generation: generation(),
  pace: pace(),
  characters: characters(),
  files: files(),
  voices: voices(),
  world: world(),
  extras: extras(),
})

export type Behaviour = ReturnType<typeof standardBehaviour>

/** Changes a fresh behaviour in place. */
export type Override = (behaviour: Behaviour) => void
