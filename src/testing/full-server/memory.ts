import { Refusal } from './refusal.ts'

/** What a call with a key came to: its answer in its present form, or its refusal. */
type Kept = { readonly text: string } & (
  | { readonly state: 'running' }
  | { readonly state: 'answered'; readonly answer: () => unknown }
  | { readonly state: 'refused'; readonly refusal: Refusal }
)

/** Refusals that say nothing about the request itself. Section 7: "on 429, 5xx or timeout, retry with the same key". */
const passing = new Set([10004, 10005, 10008, 10009, 30006, 30007, 30008])

/** Remembers what was done for an idempotency key, refused requests included. */
export class Memory {
  private readonly kept = new Map<string, Kept>()
  private readonly lax: boolean

  /** @param lax whether the body of a create for an avatar is looked at */
  constructor(lax: boolean) {
    this.lax = lax
  }

  /**
   * @param key undefined or empty: nothing is remembered
   * @param text the body, byte for byte: the same text is the same request
   */
  async once(
    scope: string,
    key: string | undefined,
    text: string,
    run: () => Promise<() => unknown>,
  ): Promise<unknown> {
    if (key === undefined || key === '') return (await run())()
    const name = `${scope}\n${key}`
    const before = this.kept.get(name)
    if (before !== undefined) return recall(before, this.lax && scope.startsWith('avatar') ? undefined : text)
    this.kept.set(name, { state: 'running', text })
    try {
      const answer = await run()
      this.kept.set(name, { state: 'answered', text, answer })
      return answer()
    } catch (error) {
      if (error instanceof Refusal && !passing.has(error.code)) {
        this.kept.set(name, { state: 'refused', text, refusal: error })
      } else this.kept.delete(name)
      throw error
    }
  }
}

function recall(kept: Kept, text: string | undefined): unknown {
  if (text !== undefined && kept.text !== text) throw new Refusal(30004, 'idempotency conflict')
  if (kept.state === 'running') throw new Refusal(40901, 'a request with this idempotency key is under way')
  if (kept.state === 'refused') throw kept.refusal
  return kept.answer()
}
