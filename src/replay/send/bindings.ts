import { isObject, type Json } from '#trace/json'
import { inUrl, shortestWithin } from '../recorded.ts'

/** Texts of the recording that are other ones this time: ids, tokens, secrets. */
export interface Bindings {
  /** The first that is said of a text counts, unless that was a guess. */
  bind(recorded: string, now: string, guess?: boolean): void
  /** Whether something stands for it this time. */
  has(recorded: string): boolean
  /** Whether an answer of this time told for sure what stands for it. */
  knows(recorded: string): boolean
  /** The text as it has to be said this time. */
  text(recorded: string): string
  /** The same in every text of a value. */
  json(recorded: Json): Json
}

/**
 * @param run id of the recorded run, which is part of all ids that it gave itself
 * @param now ids of this sending: `ids` in idempotency keys, items and events, `mark` in what cleanup looks for
 */
export function createBindings(run: string, now: { readonly ids: string; readonly mark: string }): Bindings {
  const bound = new Map<string, string>()
  const guessed = new Set<string>()

  function text(recorded: string): string {
    const whole = bound.get(recorded)
    if (whole !== undefined) return whole
    let said = recorded
    for (const [old, fresh] of bound) if (old.length >= shortestWithin) said = said.replaceAll(old, fresh)
    return said.replaceAll(`run ${run}`, `run ${now.mark}`).replaceAll(run, now.ids)
  }

  function json(recorded: Json): Json {
    if (typeof recorded === 'string') return text(recorded)
    if (Array.isArray(recorded)) return (recorded as readonly Json[]).map(json)
    if (!isObject(recorded)) return recorded
    return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, json(value)]))
  }

  return {
    bind: (recorded, live, guess = false) => {
      if (bound.has(recorded) && (guess || !guessed.delete(recorded))) return
      if (guess) guessed.add(recorded)
      bound.set(recorded, live)
      const url = inUrl(recorded)
      if (url !== recorded) bound.set(url, inUrl(live))
    },
    has: (recorded) => bound.has(recorded),
    knows: (recorded) => bound.has(recorded) && !guessed.has(recorded),
    text,
    json,
  }
}
