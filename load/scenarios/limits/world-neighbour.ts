import { objectOf, type RestAnswer, succeeded } from '../../core/envelope.ts'
import { broken, held, type Law, type Ruling } from '../../core/limits/laws.ts'
import { isCalledWrong, refusalOf } from '../../core/refusal.ts'
import type { RestMachine } from './rest-machine.ts'
import { LAG_MS } from './workspace.ts'
import { madeBy, WorldRequests } from './world-requests.ts'

/** World session missing, closed or expired (section 7). */
export const GONE = '20005'

/** A second world session, there beside another one: what is mixed up or shared shows only then. */
export class WorldNeighbour {
  readonly #machine: RestMachine
  readonly #requests: WorldRequests
  readonly #rulings: Ruling[] = []
  readonly #answers: RestAnswer[] = []
  /** What came of its create is not known. */
  #isUndecided = false
  #isClosed = false

  constructor(machine: RestMachine) {
    this.#machine = machine
    this.#requests = new WorldRequests(machine, 'n')
  }

  get rulings(): readonly Ruling[] {
    return [...this.#requests.rulings, ...this.#rulings]
  }

  /** Tried once: where there is room for one session only, that is no mistake. @param other the session that is there */
  async open(other: string): Promise<void> {
    let answer = await this.#requests.tryCreate()
    const law: Law = 'world-key-shared'
    if (isCalledWrong(answer)) {
      await this.#machine.wait(LAG_MS)
      answer = await this.#requests.tryCreate()
      if (isCalledWrong(answer))
        this.#rulings.push(broken(law, `a key beside another one is called wrong: ${answer.code}`))
    }
    const refusal = refusalOf(answer)
    this.#isUndecided = refusal === 'network' || refusal === 'server'
    const id = madeBy(answer)
    if (id === undefined) return
    this.#rulings.push(id === other ? broken(law, 'two keys were given one session') : held(law))
    if (id === other) return
    this.#requests.id = id
    this.#answers.push(answer)
  }

  async isActive(): Promise<boolean> {
    return this.#requests.id !== '' && (await this.#requests.get()).data['status'] === 'active'
  }

  async takeSecrets(): Promise<void> {
    const answer = await this.#requests.takeSecrets('k')
    if (succeeded(answer)) this.#answers.push(answer)
  }

  /** "Scoped to one session" (5.4). @param others what the other session was given */
  compareSecrets(others: readonly RestAnswer[]): void {
    for (const [descriptor, law] of sharedLaws) {
      const [here, there] = [this.#answers, others].map((answers) => secretsIn(answers, descriptor))
      if (here === undefined || there === undefined || here.length === 0 || there.length === 0) continue
      const isShared = here.some((secret) => there.includes(secret))
      this.#rulings.push(isShared ? broken(law, 'two sessions were given one secret') : held(law))
    }
  }

  /** Closes it where that was not done, and once more with the same key, which is safe (4.5). @returns whether it was */
  async close(): Promise<boolean> {
    if (this.#isUndecided) this.#requests.id = madeBy(await this.#requests.create()) ?? ''
    this.#isUndecided = false
    if (this.#requests.id === '' || this.#isClosed) return this.#isClosed
    this.#isClosed = succeeded(await this.#requests.close('x'))
    if (this.#isClosed) await this.#closeAgain()
    return this.#isClosed
  }

  async #closeAgain(): Promise<void> {
    let again = await this.#requests.close('x')
    if (isNo(again)) {
      await this.#machine.wait(LAG_MS)
      again = await this.#requests.close('x')
    }
    const law: Law = 'world-close-not-repeatable'
    if (isNo(again)) this.#rulings.push(broken(law, `${again.code}, twice`))
    else if (succeeded(again) || again.code === GONE) this.#rulings.push(held(law))
  }
}

/** Whether the service calls it wrong. */
const isNo = (answer: RestAnswer): boolean => refusalOf(answer) === 'request' && answer.code !== GONE

const sharedLaws = [
  ['control', 'world-secret-shared'],
  ['media', 'world-media-secret-shared'],
] as const

const secretsIn = (answers: readonly RestAnswer[], descriptor: string): string[] =>
  answers
    .map(({ data }) => objectOf(data[descriptor])['client_secret'])
    .filter((secret): secret is string => typeof secret === 'string' && secret !== '')
