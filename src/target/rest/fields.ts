import { present, type JsonObject } from '../wire.ts'

/** A payload, field by field; `undefined` leaves a field out. */
export const drawFields = <Subject>(
  fields: Record<string, (subject: Subject) => unknown>,
  subject: Subject,
): JsonObject => present(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(subject)])))
