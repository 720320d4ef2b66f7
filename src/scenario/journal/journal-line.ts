import type { OperationId } from '#spec/tables'
import type { KeyName } from '#spec/profile'
import type { Recall } from '#client/types'
import type { JsonObject } from '#trace/json'
import type { ResourceKind } from './creations.ts'
import type { ProcessMark } from './process-mark.ts'

/** How to reach the target again from nothing but the journal and the environment. Holds no secret. */
export interface Begin {
  readonly run: string
  readonly base_url: string
  readonly ca_file?: string
  /** Names of environment variables. */
  readonly keys: { readonly [name in KeyName]?: string }
  readonly headers?: { readonly [name: string]: string }
  readonly proxy?: string
  readonly allow_insecure_loopback?: boolean
}

/** What is about to be asked for. */
export interface Intent extends Recall {
  readonly resource: ResourceKind
  readonly operation: OperationId
  readonly key: KeyName | 'none'
  readonly idempotency_key?: string
  /** As it was sent, without secrets; missing where it was no JSON. */
  readonly body?: JsonObject
}

/** Something made or asked for that is not known to be gone. */
export interface Leak {
  readonly resource: string
  readonly id: string
  readonly reason: string
}

/** What is to be looked at once more. */
export interface Doubt {
  readonly resource: ResourceKind
  readonly key: KeyName
  readonly id?: string
}

/** One line of a journal. `create` stands before the request that it speaks of. */
export type JournalLine =
  | ({ readonly kind: 'begin'; readonly process: ProcessMark } & Begin)
  | { readonly kind: 'worker'; readonly process: ProcessMark }
  | ({ readonly kind: 'create'; readonly create: string } & Intent)
  | { readonly kind: 'created'; readonly create: string; readonly id: string }
  /** The create was answered, and the answer does not name what it made, or does not say whether it made anything. */
  | { readonly kind: 'unnamed' | 'unclear'; readonly create: string }
  /** The create was answered, and made nothing. */
  | { readonly kind: 'none'; readonly create: string }
  | { readonly kind: 'ended'; readonly resource: ResourceKind; readonly id: string }
  /** Something speaks for more being there than is known: of the kind, with this key; maybe this thing, which was ended. */
  | ({ readonly kind: 'doubt' } & Doubt)
  /** `leaked` that no later sweep can do anything about is final. */
  | { readonly kind: 'end'; readonly leaked: readonly Leak[] }
