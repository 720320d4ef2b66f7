import { asyncapi } from '#export/asyncapi'
import { openapi } from '#export/openapi'
import { profileReference } from '#export/profile-reference'
import type { DocumentName, SpecOptions } from './commands/spec.ts'
import type { Shell } from './shell.ts'
import { fileTrouble, usage } from './stop.ts'
import { writeWhole } from './write-whole.ts'

const json = (document: object): string => `${JSON.stringify(document, undefined, 2)}\n`

const builders = { openapi: () => json(openapi()), asyncapi: () => json(asyncapi()), profile: profileReference }

/** Prints a document of the interface or writes it. @throws Stop (2) where the file cannot be written */
export function spec(name: DocumentName, { out }: SpecOptions, shell: Shell): number {
  const text = builders[name]()
  if (out === undefined) {
    shell.out(text)
    return 0
  }
  try {
    writeWhole(out, text)
  } catch (error) {
    throw usage(`${out} cannot be written: ${fileTrouble(error)}`)
  }
  shell.err(`${out} is written.\n`)
  return 0
}
