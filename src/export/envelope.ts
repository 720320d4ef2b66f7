import type { Operation } from '#spec/tables'
import { exampleOf } from './examples.ts'
import type { JsonObject, Reference } from './interface.ts'
import type { Source } from './source.ts'

/** Name of the component that every failure is. */
export const failureName = 'FailureEnvelope'

export const failure: Reference = { $ref: `#/components/schemas/${failureName}` }

/** Section 7: the envelope of a failure. `code` stays open, since not every failure has a listed one. */
export function failureSchema({ components }: Source): JsonObject {
  return {
    title: failureName,
    description: 'Section 7: the envelope of an answer that failed.',
    allOf: [components.refer('common/envelope')],
    properties: { code: { not: { const: 0 } } },
  }
}

/** Conventions: the envelope of a success, with what an operation returns in `data`. */
export function successSchema({ response }: Operation, { components }: Source): JsonObject {
  const data = response === null ? {} : components.refer(response)
  return {
    allOf: [components.refer('common/envelope')],
    required: ['data'],
    properties: { code: { const: 0 }, data },
  }
}

export function successExample({ response }: Operation, { exhibits }: Source): JsonObject {
  const { summary, value } = response === null ? notShown : exampleOf(response, exhibits)
  return { summary, value: { code: 0, message: 'success', data: value } }
}

const notShown = { summary: 'What data holds is not shown', value: {} }
