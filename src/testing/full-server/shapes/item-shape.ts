import { parsed } from './pipeline-shape.ts'
import type { JsonObject, Reader } from '../reader.ts'

/** Section 2.9, as a client may send it; the status is the server's. */
export function readItem(item: Reader): JsonObject {
  item.string('id')
  item.need('type')
  const type = item.choice('type', ['message', 'function_call', 'function_call_output'])
  item.choice('status', ['completed', 'incomplete', 'in_progress'])
  if (type === 'message') {
    item.need('role')
    const role = item.choice('role', ['system', 'user', 'assistant'])
    item.need('content')
    return { content: item.children('content').map(readPart), role, type, status: 'completed' }
  }
  if (type === 'function_call') {
    const text = item.words('arguments')
    if (parsed(text) === undefined) throw item.bad('arguments', 'is not encoded in JSON')
    const call_id = item.string('call_id') ?? `by-client-${text.length}`
    return { call_id, name: item.words('name'), arguments: text, type, status: 'completed' }
  }
  item.need('output')
  return { call_id: item.words('call_id'), output: item.string('output'), type, status: 'completed' }
}

function readPart(part: Reader): JsonObject {
  part.need('type')
  const type = part.choice('type', ['input_text', 'input_audio', 'input_image', 'text'])
  const needed = type === 'input_audio' ? 'audio' : type === 'input_image' ? 'image_url' : 'text'
  part.need(needed)
  part.string(needed)
  part.string('transcript')
  part.choice('detail', ['auto', 'low', 'high'])
  return part.bag
}

/** All the text in a message. */
export function textOf(item: JsonObject): string {
  const parts: readonly JsonObject[] = Array.isArray(item['content']) ? item['content'] : []
  return parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join(' ')
}
