import { randomUUID } from 'node:crypto'
import type { Connections } from '../channel/connections.ts'
import type { Items } from '../avatar-sessions/items.ts'
import type { JsonObject } from '../reader.ts'
import type { Invocation, Plan, AcceptedResponse } from './accepted-response.ts'
import type { Timers } from '../timers.ts'

const THINKING_MS = 25
const WORD_MS = 14
const SPOKEN_WORD_MS = 35
const LAST_MS = 12

export interface ResponseTools {
  readonly connections: Connections
  readonly items: Items
  readonly timers: Timers
  readonly namesCauses: boolean
  readonly contrary: boolean
  /** The last output of a response is out; its `response.done` is still to come. */
  readonly outputOver: (running: RunningResponse) => void
  readonly done: (running: RunningResponse) => void
}

type Spoken = Extract<Plan, { kind: 'text' }>

type Ending = 'completed' | 'incomplete' | 'cancelled'

/** One running response, from its `response.created` to its `response.done`. */
export class RunningResponse {
  readonly id = randomUUID()
  readonly accepted: AcceptedResponse
  private readonly tools: ResponseTools
  private readonly plan: Plan
  private readonly startedAt = Date.now()
  private calledOff: () => void = () => {}
  private itemId = ''
  private said = ''
  private wordsSaid = 0
  private announced: JsonObject | undefined
  private rendering = false
  private output: JsonObject[] = []
  private leaving = false

  constructor(tools: ResponseTools, accepted: AcceptedResponse) {
    this.tools = tools
    this.accepted = accepted
    this.plan = accepted.plan()
  }

  /** @param wait_ms until a former response has ended */
  start(wait_ms: number): void {
    const cause =
      this.tools.namesCauses && this.accepted.asked !== undefined ? { request_event_id: this.accepted.asked } : {}
    this.tell('response.created', { ...cause, response: this.view('in_progress') })
    this.next(THINKING_MS + wait_ms, () => this.begin())
  }

  /** Nothing of it is heard after this but its end. */
  cut(rendered: 'interrupted' | 'cancelled'): void {
    if (this.leaving) return
    this.calledOff()
    if (this.itemId !== '') this.finishText('incomplete')
    this.conclude('cancelled', rendered, 0)
  }

  /** No more output from now on; `cut` must follow. */
  hush(): void {
    if (!this.leaving) this.calledOff()
  }

  private begin(): void {
    const { plan } = this
    if (plan.kind === 'call') return this.call(plan.call)
    if (this.accepted.video && (plan.kind === 'text' || plan.ms > 0)) {
      this.rendering = true
      this.tell('response.render.started', { response_id: this.id })
    }
    if (plan.kind === 'silent') return this.next(plan.ms, () => this.leave('completed'))
    this.speakPart(plan, 0)
  }

  private speakPart(plan: Spoken, part: number): void {
    const words = plan.parts[part]?.split(/(?<=\s)(?=\S)/) ?? []
    const left = plan.limit - this.wordsSaid
    this.itemId = this.tools.items.newId()
    this.said = ''
    this.announced = undefined
    if (this.tools.contrary) this.announce()
    this.speak(words.slice(0, left), () => {
      const short = words.length > left
      this.tell('response.output_text.done', { ...this.place(), text: this.said })
      this.finishText(short ? 'incomplete' : 'completed')
      if (!short && part + 1 < plan.parts.length) this.speakPart(plan, part + 1)
      else this.finishSpeech(plan, short ? 'incomplete' : 'completed')
    })
  }

  private speak(words: readonly string[], then: () => void): void {
    const [word, ...rest] = words
    if (word === undefined) return then()
    this.said += word
    this.wordsSaid += 1
    const pieces = this.tools.contrary ? ['', ...(word.match(/[^]{1,3}/gu) ?? [])] : [word]
    for (const delta of pieces) this.tell('response.output_text.delta', { ...this.place(), delta })
    this.next(WORD_MS, () => this.speak(rest, then))
  }

  private finishSpeech(plan: Spoken, ending: 'completed' | 'incomplete'): void {
    if (plan.call !== undefined && ending === 'completed') this.callFunction(plan.call)
    const left = this.rendering
      ? Math.max(this.wordsSaid * SPOKEN_WORD_MS, plan.visual_ms) - (Date.now() - this.startedAt)
      : 0
    this.next(Math.max(left, 0), () => this.leave(ending))
  }

  private finishText(status: 'completed' | 'incomplete'): void {
    const content = [{ type: 'text', text: this.said }]
    const id = this.itemId
    this.finishItem({ id, type: 'message', role: 'assistant', status, content })
    this.itemId = ''
  }

  /** The item is written as soon as it is begun. */
  private announce(): void {
    if (!this.accepted.writes) return
    this.announced = { id: this.itemId, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const previous_item_id = this.tools.items.put({ id: this.itemId, body: this.announced }, undefined)
    this.tell('conversation.item.created', { previous_item_id, item: this.announced })
  }

  private call(call: Invocation): void {
    this.callFunction(call)
    this.leave('completed')
  }

  private callFunction(call: Invocation): void {
    const id = this.tools.items.newId()
    this.announced = undefined
    this.finishItem({ id, type: 'function_call', status: 'completed', call_id: `call-${id}`, ...call })
  }

  private finishItem(item: JsonObject): void {
    this.tell('response.output_item.done', { response_id: this.id, output_index: this.output.length, item })
    this.output = [...this.output, item]
    if (!this.accepted.writes) return
    if (this.announced !== undefined) return void Object.assign(this.announced, item)
    const previous_item_id = this.tools.items.put({ id: String(item['id']), body: item }, undefined)
    this.tell('conversation.item.created', { previous_item_id, item })
  }

  private leave(ending: Ending): void {
    if (!this.accepted.video && !this.tools.contrary) this.tools.outputOver(this)
    this.conclude(ending, 'completed', LAST_MS)
  }

  private conclude(ending: Ending, rendered: string, wait_ms: number): void {
    this.leaving = true
    if (this.rendering) this.tell('response.render.stopped', { status: rendered, response_id: this.id })
    const finish = () => {
      this.tell('response.done', { response: this.view(ending) })
      this.tools.done(this)
    }
    if (wait_ms === 0) finish()
    else this.next(wait_ms, finish)
  }

  private view(status: Ending | 'in_progress'): JsonObject {
    const status_details = status === 'incomplete' ? { reason: 'max_output_tokens' } : null
    return { output: this.output, id: this.id, max_output_tokens: this.accepted.maxOutput, status_details, status }
  }

  private place(): JsonObject {
    return { output_index: this.output.length, item_id: this.itemId, response_id: this.id }
  }

  private tell(type: string, fields: JsonObject): void {
    this.tools.connections.toAll({ ...fields, type })
  }

  private next(ms: number, after: () => void): void {
    this.calledOff = this.tools.timers.after(ms, after)
  }
}
