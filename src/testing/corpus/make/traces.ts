import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Label } from '../label.ts'
import type { Unfiled } from './labelled.ts'
import { tellSame } from './plain.ts'

/** The traces of a corpus that is being made: nothing is written before all are there. */
export class Traces {
  readonly #labels: Label[] = []
  readonly #texts = new Map<string, string>()
  readonly #named = new Map<string, number>()

  /** A name of its own for each label that it is asked for, whatever comes of it. */
  fileOf({ verdict, requirement, server }: Unfiled): string {
    const name = `${verdict}/${requirement}.${server.split(' ')[0]}`
    const count = (this.#named.get(name) ?? 0) + 1
    this.#named.set(name, count)
    return count === 1 ? `${name}.ndjson` : `${name}-${count}.ndjson`
  }

  /** @param text of the trace; where it is missing, the file stays as it is */
  keep(label: Label, text?: string): void {
    this.#labels.push(label)
    if (text !== undefined) this.#texts.set(label.file, text)
  }

  /** Writes the traces that tell something else than before, and the index, and takes away what it does not name. */
  write(folder: string): void {
    for (const [file, text] of this.#texts) {
      const path = join(folder, file)
      if (existsSync(path) && tellSame(readFileSync(path, 'utf8'), text)) continue
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const traces = this.#labels.toSorted((one, other) => (one.file < other.file ? -1 : 1))
    writeFileSync(join(folder, 'labels.json'), `${JSON.stringify({ traces }, null, 2)}\n`)
    const named = new Set(traces.map(({ file }) => file))
    for (const file of readdirSync(folder, { recursive: true }).map(String)) {
      if (file.endsWith('.ndjson') && !named.has(file.replaceAll('\\', '/'))) rmSync(join(folder, file))
    }
  }
}
