import { randomUUID } from 'node:crypto'
import type { Air } from './air.ts'
import type { Items } from './items.ts'
import type { Bag } from './reader.ts'
import type { Plan, Score } from './score.ts'
import type { Timers } from './timers.ts'

const THINKING_MS = 25
const WORD_MS = 14
const SPOKEN_WORD_MS = 35
const LAST_MS = 12

export interface Stage {
  readonly air: Air
  readonly items: Items
  readonly timers: Timers
  readonly namesCauses: boolean
  readonly contrary: boolean
  /** The last output of a response is out; its `response.done` is still to come. */
  readonly outputOver: (performance: Performance) => void
  readonly done: (performance: Performance) => void
}

type Ending = 'completed' | 'incomplete' | 'cancelled'

/** One response on the air, from its `response.created` to its `response.done`. */
export class Performance {
  readonly id = randomUUID()
  readonly score: Score
  private readonly stage: Stage
  private readonly plan: Plan
  private readonly startedAt = Date.now()
  private calledOff: () => void = () => {}
  private itemId = ''
  private said = ''
  private announced: Bag | undefined
  private rendering = false
  private output: Bag[] = []
  private leaving = false

  constructor(stage: Stage, score: Score) {
    this.stage = stage
    this.score = score
    this.plan = score.plan()
  }

  /** @param wait_ms until a former response is off the air */
  start(wait_ms: number): void {
    const cause = this.stage.namesCauses && this.score.asked !== undefined ? { request_event_id: this.score.asked } : {}
    this.tell('response.created', { ...cause, response: this.view('in_progress') })
    this.next(THINKING_MS + wait_ms, () => this.begin())
  }

  /** Nothing of it is heard after this but its end. */
  cut(rendered: 'interrupted' | 'cancelled'): void {
    if (this.leaving) return
    this.calledOff()
    if (this.itemId !== '' && this.output.length === 0) this.finishText('incomplete')
    this.conclude('cancelled', rendered, 0)
  }

  /** No more output from now on; `cut` must follow. */
  hush(): void {
    if (!this.leaving) this.calledOff()
  }

  private begin(): void {
    const { plan } = this
    if (plan.kind === 'call') return this.call(plan.name, plan.arguments)
    if (this.score.video && (plan.kind === 'text' || plan.ms > 0)) {
      this.rendering = true
      this.tell('response.render.started', { response_id: this.id })
    }
    if (plan.kind === 'silent') return this.next(plan.ms, () => this.leave('completed'))
    const words = plan.text.split(/(?<=\s)(?=\S)/)
    this.itemId = this.stage.items.newId()
    if (this.stage.contrary) this.announce()
    this.speak(words.slice(0, plan.limit), words.length > plan.limit)
  }

  private speak(words: readonly string[], short: boolean): void {
    const [word, ...rest] = words
    if (word === undefined) return this.finishSpeech(short ? 'incomplete' : 'completed')
    this.said += word
    const pieces = this.stage.contrary ? (word.match(/[^]{1,3}/gu) ?? []) : [word]
    for (const delta of pieces) this.tell('response.output_text.delta', { ...this.place(), delta })
    this.next(WORD_MS, () => this.speak(rest, short))
  }

  private finishSpeech(ending: 'completed' | 'incomplete'): void {
    this.tell('response.output_text.done', { ...this.place(), text: this.said })
    this.finishText(ending)
    const spoken = this.said.split(/\s+/).length * SPOKEN_WORD_MS
    const shown = this.plan.kind === 'text' ? this.plan.visual_ms : 0
    const left = this.rendering ? Math.max(spoken, shown) - (Date.now() - this.startedAt) : 0
    this.next(Math.max(left, 0), () => this.leave(ending))
  }

  private finishText(status: 'completed' | 'incomplete'): void {
    const content = [{ type: 'text', text: this.said }]
    this.finishItem({ id: this.itemId, type: 'message', role: 'assistant', status, content })
  }

  /** The item is written as soon as it is begun. */
  private announce(): void {
    if (!this.score.writes) return
    this.announced = { id: this.itemId, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const previous_item_id = this.stage.items.put({ id: this.itemId, body: this.announced }, undefined)
    this.tell('conversation.item.created', { previous_item_id, item: this.announced })
  }

  private call(name: string, text: string): void {
    const id = this.stage.items.newId()
    this.finishItem({ id, type: 'function_call', status: 'completed', call_id: `call-${id}`, name, arguments: text })
    this.leave('completed')
  }

  private finishItem(item: Bag): void {
    this.output = [item]
    this.tell('response.output_item.done', { response_id: this.id, output_index: 0, item })
    if (!this.score.writes) return
    if (this.announced !== undefined) return void Object.assign(this.announced, item)
    const previous_item_id = this.stage.items.put({ id: String(item['id']), body: item }, undefined)
    this.tell('conversation.item.created', { previous_item_id, item })
  }

  private leave(ending: Ending): void {
    if (!this.score.video && !this.stage.contrary) this.stage.outputOver(this)
    this.conclude(ending, 'completed', LAST_MS)
  }

  private conclude(ending: Ending, rendered: string, wait_ms: number): void {
    this.leaving = true
    if (this.rendering) this.tell('response.render.stopped', { status: rendered, response_id: this.id })
    const finish = () => {
      this.tell('response.done', { response: this.view(ending) })
      this.stage.done(this)
    }
    if (wait_ms === 0) finish()
    else this.next(wait_ms, finish)
  }

  private view(status: Ending | 'in_progress'): Bag {
    const status_details = status === 'incomplete' ? { reason: 'max_output_tokens' } : null
    return { output: this.output, id: this.id, max_output_tokens: this.score.maxOutput, status_details, status }
  }

  private place(): Bag {
    return { output_index: 0, item_id: this.itemId, response_id: this.id }
  }

  private tell(type: string, fields: Bag): void {
    this.stage.air.toAll({ ...fields, type })
  }

  private next(ms: number, after: () => void): void {
    this.calledOff = this.stage.timers.after(ms, after)
  }
}
