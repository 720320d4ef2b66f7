import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { AssetShelf } from './asset-shelf.ts'
import type { Avatar } from './avatar-shape.ts'
import { Conversation, type Item } from './conversation.ts'
import type { Opening } from './create-request.ts'
import { Lifetime } from './lifetime.ts'
import type { Settings } from './options.ts'
import { Outlet } from './channel/outlet.ts'
import type { Plan, Situation } from './plan.ts'
import { ResponseDesk } from './response-desk.ts'
import { UpdateDesk } from './update-desk.ts'
import { Utterance } from './utterance.ts'

/** One avatar session in `text_chat`. */
export class Session {
  readonly id: string
  readonly workspace: string
  readonly opening: Opening
  /** Base64 with `+` and `/`, so that a client which forgets to percent-encode the token is found out. */
  readonly secret = `st+/${randomBytes(24).toString('base64')}==`
  readonly opened_at = new Date()
  readonly avatars: Avatar[]
  readonly assets: AssetShelf
  readonly conversation = new Conversation()
  readonly outlet: Outlet
  readonly responses: ResponseDesk
  readonly updates: UpdateDesk
  readonly #lifetime: Lifetime
  readonly #settings: Settings
  active_avatar_id: string
  status: 'active' | 'closing' | 'closed' = 'active'
  #responded = 0
  #cleanup: NodeJS.Timeout | undefined

  constructor(id: string, workspace: string, opening: Opening, settings: Settings) {
    this.id = id
    this.workspace = workspace
    this.opening = opening
    this.#settings = settings
    this.avatars = [...opening.avatars]
    this.active_avatar_id = opening.active_avatar_id
    this.assets = new AssetShelf(opening.assets)
    this.outlet = new Outlet(id)
    this.responses = new ResponseDesk((plan, done) => this.#utter(plan, done))
    this.updates = new UpdateDesk(this.outlet)
    this.#lifetime = new Lifetime(opening.max_duration_seconds, opening.auto_close, (reason) => this.close(reason))
  }

  get situation(): Situation {
    return {
      active_avatar_id: this.active_avatar_id,
      default_max_tokens: this.opening.conversation.response_defaults?.max_output_tokens ?? 'inf',
      conversation: this.conversation,
      speechText: (assetId) => this.assets.speechText(assetId),
    }
  }

  /** A client event was accepted; it resets the idle clock. */
  touched(): void {
    this.#lifetime.touched()
  }

  join(socket: WebSocket): void {
    this.outlet.join(socket)
    this.#lifetime.connected()
  }

  leave(socket: WebSocket): void {
    this.outlet.leave(socket)
    if (this.outlet.size === 0) this.#lifetime.deserted()
  }

  /** Stores an item and tells everyone. */
  remember(item: Item, previous?: string): void {
    const previous_item_id = this.conversation.insert(item, previous)
    this.outlet.emit('conversation.item.created', { previous_item_id, item })
  }

  /** Closes the session, once. Responses end first, then `session.closed` goes out, then the connections. */
  close(reason: string): void {
    if (this.status !== 'active') return
    this.status = 'closing'
    this.#lifetime.stop()
    this.responses.shutdown()
    this.updates.shutdown()
    this.outlet.hangUp({ session_id: this.id, reason })
    this.#cleanup = setTimeout(() => {
      this.status = 'closed'
    }, this.#settings.cleanup_ms)
  }

  /** Ends every timer; for the end of the whole service. */
  destroy(): void {
    this.close('maintenance')
    clearTimeout(this.#cleanup)
    this.status = 'closed'
  }

  #utter(plan: Plan, done: () => void): Utterance {
    this.#responded += 1
    return new Utterance(plan, {
      response_id: `${this.id}:r${this.#responded}`,
      item_id: this.conversation.nextId(),
      word_ms: this.#settings.word_ms,
      emit: (type, fields) => this.outlet.emit(type, fields),
      keep: (item) => this.remember(item),
      done,
    })
  }
}
