import { objectOf, type RestAnswer, succeeded } from '../../core/envelope.ts'
import { broken, held, type Law, type Ruling } from '../../core/limits/laws.ts'
import { refusalOf } from '../../core/refusal.ts'
import type { RestRequest } from '../machine.ts'
import { askPatiently } from './patience.ts'
import type { RestMachine } from './rest-machine.ts'

const PATH = '/v1/streaming-world/sessions'

/** The metadata field by which a session is known again, whoever is shown it. */
const MARK = 'made_by'

/** Where there is no room, other users have two sessions for a moment. */
const [FULL_TRIES, FULL_MS] = [5, 1_000]

/** The requests that concern one world session, and whether their answers do. */
export class WorldRequests {
  readonly rulings: Ruling[] = []
  /** Empty until it is known. */
  id = ''
  readonly #machine: RestMachine
  readonly #name: string

  /** @param suffix what its idempotency keys end with, beside other sessions of the same user */
  constructor(machine: RestMachine, suffix: string) {
    this.#machine = machine
    this.#name = `${machine.name}-${suffix}`
  }

  /** With the same key and the same body each time; a lost answer is asked for again with them. */
  async create(): Promise<RestAnswer> {
    let answer = await askPatiently(this.#machine, this.#creation())
    for (let tries = 1; tries < FULL_TRIES && refusalOf(answer) === 'concurrency'; tries += 1) {
      await this.#machine.wait(FULL_MS)
      answer = await askPatiently(this.#machine, this.#creation())
    }
    return this.#ofThis(answer)
  }

  /** Without another try. */
  async tryCreate(): Promise<RestAnswer> {
    return this.#ofThis(await this.#machine.request(this.#creation()))
  }

  async get(): Promise<RestAnswer> {
    const answer = this.#ofThis(this.#names('world-get-of-another', await this.#ask('get-world-session', 'GET', '')))
    if (succeeded(answer))
      this.rulings.push(
        hasField(answer.data, 'client_secret')
          ? broken('world-secret-shown', 'a `client_secret` in Get Session')
          : held('world-secret-shown'),
      )
    return answer
  }

  async takeSecrets(key: string): Promise<RestAnswer> {
    const body = { idempotency_key: `${this.#name}-${key}` }
    const answer = await this.#ask('create-client-secret', 'POST', '/client-secrets', body)
    return this.#names('world-secrets-of-another', answer)
  }

  async close(key: string): Promise<RestAnswer> {
    const body = { idempotency_key: `${this.#name}-${key}` }
    return this.#names('world-close-of-another', await this.#ask('close-world-session', 'POST', '/close', body))
  }

  #creation(): RestRequest {
    const body = {
      model: 'svc-w1-stream',
      idempotency_key: this.#name,
      initial_prompt: { content: [{ type: 'input_text', text: 'A quiet harbour at dawn.' }] },
      metadata: { [MARK]: this.#name },
    }
    return { operation: 'create-world-session', method: 'POST', path: PATH, body }
  }

  #names(law: Law, answer: RestAnswer): RestAnswer {
    const named = succeeded(answer) ? answer.data['session_id'] : undefined
    if (typeof named === 'string')
      this.rulings.push(named === this.id ? held(law) : broken(law, 'the id of another session'))
    return answer
  }

  /** Metadata that is missing says nothing here. */
  #ofThis(answer: RestAnswer): RestAnswer {
    const mark = succeeded(answer) ? objectOf(answer.data['metadata'])[MARK] : undefined
    const law: Law = 'world-metadata-of-another'
    if (typeof mark === 'string')
      this.rulings.push(mark === this.#name ? held(law) : broken(law, 'the metadata of another create'))
    return answer
  }

  #ask(operation: string, method: RestRequest['method'], suffix: string, body?: object): Promise<RestAnswer> {
    const request = { operation, method, path: `${PATH}/${encodeURIComponent(this.id)}${suffix}` }
    return askPatiently(this.#machine, body === undefined ? request : { ...request, body })
  }
}

export function madeBy(answer: RestAnswer): string | undefined {
  const id = answer.data['session_id']
  return succeeded(answer) && typeof id === 'string' ? id : undefined
}

function hasField(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([field, inner]) => field === name || hasField(inner, name))
}
