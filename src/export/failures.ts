import { type ErrorCodeName, errorCodes, idsOf } from '#spec/tables'
import type { JsonObject, Reference } from './interface.ts'

/** Each code of section 7 as an answer, by a name that a component may have. */
export function failureExamples(): JsonObject {
  return Object.fromEntries(idsOf(errorCodes).map((name) => [keyOf(name), failureExample(name)]))
}

/** References to the examples of some codes, by their names. */
export function failureReferences(names: readonly ErrorCodeName[]): { readonly [name: string]: Reference } {
  return Object.fromEntries(
    names.map((name) => [keyOf(name), { $ref: `#/components/examples/${keyOf(name)}` }] as const),
  )
}

/** What some codes mean, one a line. */
export function failureText(names: readonly ErrorCodeName[]): string {
  return names.map((name) => `- \`${name}\`: ${errorCodes[name].condition}`).join('\n')
}

function failureExample(name: ErrorCodeName): JsonObject {
  const { code, condition } = errorCodes[name]
  return { summary: condition, value: { code, message: name.slice(`${code} `.length), data: {} } }
}

function keyOf(name: ErrorCodeName): string {
  return name.replaceAll(/[^a-zA-Z0-9]+/g, '-')
}
