import type { Override } from '#target/behaviour/behaviour'
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

/** Changes the data of an operation's success. */
export const onData = (operation: string, make: Change): Override =>
  append('http.data', (data, answered) => (answered === operation && isWire(data) ? make(data) : data))

export const onCreated = (make: Change): Override => onData('create-avatar-session', make)
