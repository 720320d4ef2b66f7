import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { formats } from './formats.ts'
import { schemaFiles, schemaId, type ShapeName } from './schemas.ts'
import { shapeError, type ShapeError } from './shape-error.ts'
import { isClientEventType, isServerEventType } from './tables.ts'

/** An ajv that knows our formats and all schemas of the package; nothing is compiled before it is asked for. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    validateSchema: false,
    // V8 makes the code fast where it runs often; ajv's own pass over it takes longer than compiling all the rest.
    code: { optimize: false },
    formats,
  })
  for (const schema of schemaFiles().values()) ajv.addSchema(schema)
  return ajv
}

let shared: Ajv2020 | undefined

const compiled = new Map<ShapeName, ValidateFunction>()

function validator(shape: ShapeName): ValidateFunction {
  const known = compiled.get(shape)
  if (known !== undefined) return known
  const found = (shared ??= createAjv()).getSchema(schemaId(shape))
  if (found === undefined) throw new Error(`There is no shape ${shape}`)
  compiled.set(shape, found)
  return found
}

/** Shapes of what a target sends: those that a whole run is judged by. */
export function shapesReceived(): readonly ShapeName[] {
  return [...schemaFiles().keys()].filter((shape) => shape.startsWith('server-events/') || shape.endsWith('.response'))
}

/** Compiles a shape, which takes some milliseconds, before it is asked for. */
export function prepare(shape: ShapeName): void {
  validator(shape)
}

/**
 * How `value` differs from a shape; empty when it doesn't.
 *
 * @throws Error for a shape that doesn't exist.
 */
export function validate(shape: ShapeName, value: unknown): readonly ShapeError[] {
  const check = validator(shape)
  return check(value) ? [] : (check.errors ?? []).filter(isTelling).map((error) => shapeError(error, value))
}

/** `if` and `allOf` only repeat what their parts say. */
function isTelling(error: { keyword: string }): boolean {
  return error.keyword !== 'if'
}

/** Shape of a server event; one of an unknown type (9.3: new types may appear) needs only what all of them carry. */
export function serverEventShape(type: unknown): ShapeName {
  const known = shapesOfServerEvents.get(type)
  if (known !== undefined) return known
  if (!isServerEventType(type)) return 'common/server-event'
  const shape: ShapeName = `server-events/${type}`
  shapesOfServerEvents.set(type, shape)
  return shape
}

/** A text that was just put together is slow to look up. */
const shapesOfServerEvents = new Map<unknown, ShapeName>()

/** Shape of a client event; of an unknown type, what all of them carry. */
export function clientEventShape(type: unknown): ShapeName {
  return isClientEventType(type) ? `client-events/${type}` : 'common/client-event'
}

/** How a message of the control channel differs from the server event that its `type` names. */
export function validateServerEvent(event: unknown): readonly ShapeError[] {
  return validate(serverEventShape(typeOf(event)), event)
}

/** How a message that we send differs from the client event that its `type` names. */
export function validateClientEvent(event: unknown): readonly ShapeError[] {
  return validate(clientEventShape(typeOf(event)), event)
}

function typeOf(event: unknown): unknown {
  return typeof event === 'object' && event !== null ? (event as { type?: unknown }).type : undefined
}
