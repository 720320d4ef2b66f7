import type { Entry } from '#trace/entry'
import { eventMistakes } from './event-mistakes.ts'
import { RequestMistakes } from './request-mistakes.ts'
import { SecretMistakes } from './secret-mistakes.ts'
import type { MistakeKind, Mistake } from './mistake.ts'

/** What the clients of a recording did wrong: never the service's fault, and in no verdict. */
export interface ClientMistakes {
  readonly format: 'greenroom.client-mistakes/1'
  readonly total: number
  readonly kinds: readonly {
    readonly kind: MistakeKind
    readonly count: number
    /** The first ones. */
    readonly examples: readonly { readonly line: number; readonly what: string }[]
  }[]
}

const examplesKept = 10

/** Looks at each entry of a recording once, in order; holds a bounded amount of what came before. */
export class MistakeWatch {
  readonly #requests = new RequestMistakes()
  readonly #secrets = new SecretMistakes()
  readonly #found = new Map<MistakeKind, { count: number; examples: { line: number; what: string }[] }>()
  #line = 0

  take(entry: Entry): void {
    this.#line += 1
    const line = this.#line
    const all = [
      ...(entry.kind === 'frame-sent' ? eventMistakes(entry) : []),
      ...this.#requests.of(entry),
      ...this.#secrets.of(entry),
    ]
    for (const { kind, what } of all) this.#add({ kind, line, what })
  }

  all(): ClientMistakes {
    const kinds = [...this.#found].map(([kind, { count, examples }]) => ({ kind, count, examples: [...examples] }))
    return { format: 'greenroom.client-mistakes/1', total: kinds.reduce((sum, { count }) => sum + count, 0), kinds }
  }

  #add({ kind, line, what }: Mistake): void {
    const known = this.#found.get(kind) ?? { count: 0, examples: [] }
    this.#found.set(kind, known)
    known.count += 1
    if (known.examples.length < examplesKept) known.examples.push({ line, what })
  }
}
