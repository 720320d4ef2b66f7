import type { Override } from '#target/behaviour/behaviour'
import type { AutoClose } from '#target/sessions/session'
import { type JsonObject, isWire } from '#target/wire'
import type { Change } from './changes.ts'
import { append, around } from './operators.ts'

/** Changes what creates that succeeded are answered with. */
export const onSuccess = (change: (envelope: JsonObject) => JsonObject): Override =>
  around('http.success', (success) => (data, operation) => {
    const envelope = success(data, operation)
    return operation.startsWith('create-') ? change(envelope) : envelope
  })

/** A name as a serialiser for `snake_case` writes it. */
export const snake = (name: string): string => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/** Changes the data of an operation's success, maybe into something that is no object any more. */
export const onData = (operation: string, make: (data: JsonObject) => unknown): Override =>
  append('http.data', (data, answered) => (answered === operation && isWire(data) ? make(data) : data))

/** Changes the configuration that is shown of a character. */
export const onSavedConfiguration = (make: Change): Override =>
  around('characters.views.configuration', (configuration) => (character) => make(configuration(character)))

/** Changes the timeouts of a session that is created. */
export const onAutoClose = (make: (policy: AutoClose) => AutoClose): Override =>
  around('create.autoClose', (autoClose) => (body, limits, duration) => make(autoClose(body, limits, duration)))

export const onCreated = (make: Change): Override => onData('create-avatar-session', make)
