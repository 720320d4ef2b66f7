import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redactor } from '#trace/redact'
import type { Draft } from '#trace/writer'

/** What happened at a moment, as a trace will tell it. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly draft: Draft
}

/**
 * Puts moments in the order of time without holding them: they lie in a temporary file, already without the secrets that
 * are known, and only their times and places are kept. What has one time stays in the order in which it was added.
 */
export class Spool {
  readonly #folder = mkdtempSync(join(tmpdir(), 'greenroom-import-'))
  readonly #fd = openSync(join(this.#folder, 'moments.ndjson'), 'wx+', 0o600)
  readonly #redactor: Redactor
  readonly #times: number[] = []
  readonly #places: number[] = []
  readonly #groups: number[] = []
  readonly #dropped = new Set<number>()
  #end = 0

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** @param group by which moments can be dropped again */
  add({ at, draft }: Moment, group = 0): void {
    const bytes = Buffer.from(JSON.stringify(this.#redactor.entry(draft)))
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
    this.#times.push(at)
    this.#places.push(this.#end)
    this.#groups.push(group)
    this.#end += bytes.length
  }

  drop(group: number): void {
    this.#dropped.add(group)
  }

  *inOrder(): Generator<Moment> {
    const order = Array.from(this.#times.keys()).toSorted((a, b) => this.#time(a) - this.#time(b) || a - b)
    for (const place of order) {
      if (this.#dropped.has(this.#groups[place] ?? 0)) continue
      const start = this.#places[place] ?? 0
      const bytes = Buffer.alloc((this.#places[place + 1] ?? this.#end) - start)
      for (let done = 0; done < bytes.length; ) {
        const count = readSync(this.#fd, bytes, done, bytes.length - done, start + done)
        if (count === 0) throw new Error('the temporary file of an import became shorter')
        done += count
      }
      yield { at: this.#time(place), draft: JSON.parse(bytes.toString('utf8')) as Draft }
    }
  }

  remove(): void {
    closeSync(this.#fd)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #time(place: number): number {
    return this.#times[place] ?? 0
  }
}
