import type { Plan } from './plan.ts'

export type Ending = 'completed' | 'cancelled' | 'incomplete'

/** The surroundings of an utterance: where its events go and what its ids are. */
export interface UtteranceTools {
  response_id: string
  item_id: string
  word_ms: number
  emit(type: string, fields: Record<string, unknown>): void
  /** Called once, after the last delta and before the terminal events are out. */
  keep(item: SpokenItem): void
  done(): void
}

export interface SpokenItem {
  id: string
  type: 'message'
  status: 'completed' | 'incomplete'
  role: 'assistant'
  content: [{ type: 'text'; text: string }]
}

const details: Record<Ending, object | null> = {
  completed: null,
  cancelled: { reason: 'superseded_or_cancelled' },
  incomplete: { reason: 'max_output_tokens' },
}

/** One response in text mode, from `response.created` to `response.done`, spoken word by word. */
export class Utterance {
  readonly #plan: Plan
  readonly #tools: UtteranceTools
  readonly #words: string[]
  readonly #whole: number
  #said = ''
  #next = 0
  #timer: NodeJS.Timeout | undefined

  constructor(plan: Plan, tools: UtteranceTools) {
    this.#plan = plan
    this.#tools = tools
    const words = plan.text().match(/\s*\S+|\s+$/g) ?? []
    this.#whole = words.length
    this.#words = plan.max_output_tokens === 'inf' ? words : words.slice(0, plan.max_output_tokens)
  }

  begin(): void {
    this.#tools.emit('response.created', { response: this.#resource('in_progress', null, []) })
    this.#timer = setInterval(() => this.#speak(), this.#tools.word_ms)
  }

  /** Ends the utterance early. */
  cut(): void {
    this.#finish('cancelled')
  }

  #speak(): void {
    const delta = this.#words[this.#next]
    if (delta === undefined) return this.#finish(this.#words.length < this.#whole ? 'incomplete' : 'completed')
    this.#next += 1
    this.#said += delta
    this.#tools.emit('response.output_text.delta', { ...this.#place(), delta })
  }

  #place(): Record<string, unknown> {
    return { response_id: this.#tools.response_id, item_id: this.#tools.item_id, output_index: 0 }
  }

  #finish(ending: Ending): void {
    clearInterval(this.#timer)
    const { response_id } = this.#tools
    const item = this.#item(ending)
    if (item !== undefined) {
      if (ending !== 'cancelled') this.#tools.emit('response.output_text.done', { ...this.#place(), text: this.#said })
      this.#tools.emit('response.output_item.done', { response_id, output_index: 0, item })
      if (this.#plan.keeps) this.#tools.keep(item)
    }
    this.#tools.emit('response.done', {
      response: this.#resource(ending, details[ending], item === undefined ? [] : [item]),
    })
    this.#tools.done()
  }

  #item(ending: Ending): SpokenItem | undefined {
    if (this.#next === 0) return undefined
    const status = ending === 'completed' ? 'completed' : 'incomplete'
    const content: SpokenItem['content'] = [{ type: 'text', text: this.#said }]
    return { id: this.#tools.item_id, type: 'message', status, role: 'assistant', content }
  }

  #resource(status: string, status_details: object | null, output: SpokenItem[]): Record<string, unknown> {
    const { max_output_tokens } = this.#plan
    return { id: this.#tools.response_id, status, status_details, output, max_output_tokens }
  }
}
