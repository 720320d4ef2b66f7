import { asyncapi } from '#export/asyncapi'
import { openapi } from '#export/openapi'
import { profileReference } from '#export/profile-reference'
import { writeNamed } from './named-files.ts'
import type { Shell } from './shell.ts'

export interface SpecOptions {
  readonly out?: string
}

const json = (document: object): string => `${JSON.stringify(document, undefined, 2)}\n`

const builders = { openapi: () => json(openapi()), asyncapi: () => json(asyncapi()), profile: profileReference }

/** The documents that there are. */
export type DocumentName = keyof typeof builders

/** Prints a document of the interface or writes it. @throws Stop (2) where the file cannot be written */
export function spec(name: DocumentName, { out }: SpecOptions, shell: Shell): number {
  const text = builders[name]()
  if (out === undefined) {
    shell.out(text)
    return 0
  }
  writeNamed(out, text)
  shell.err(`${out} is written.\n`)
  return 0
}
