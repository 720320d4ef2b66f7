import type { Behaviour } from '#target/behaviour/behaviour'
import { type Wire, wireAt, wiresAt, without } from '#target/wire'
import { defectsOf } from '../table.ts'
import { onEvent } from '../tools.ts'

/** Changes items of some kind when they are retrieved. */
const retrieved =
  (of: (item: Wire) => boolean, make: (item: Wire) => Wire) =>
  (behaviour: Behaviour): void =>
    onEvent(behaviour, 'conversation.item.retrieved', (event) => {
      const item = wireAt(event, 'item')
      return of(item) ? { ...event, item: make(item) } : event
    })

const isRole = (role: string) => (item: Wire) => item['role'] === role
const isType = (type: string) => (item: Wire) => item['type'] === type
const holds = (type: string) => (item: Wire) => wiresAt(item, 'content').some((part) => part['type'] === type)
const emptied = (item: Wire): Wire => ({ ...item, content: [] })

/** 2.9: items of every role and type come back as they were created; a mistake may lie in one kind only. */
export const subtleKindDefects = defectsOf('control-channel', {
  'item-retrieve.content~system': [
    'A system message is retrieved as one of the user.',
    retrieved(isRole('system'), (item) => ({ ...item, role: 'user' })),
  ],
  'item-retrieve.content~assistant': [
    'A message of the assistant is retrieved as one of the user.',
    retrieved(isRole('assistant'), (item) => ({ ...item, role: 'user' })),
  ],
  'item-retrieve.content~audio': ['Audio is retrieved as nothing.', retrieved(holds('input_audio'), emptied)],
  'item-retrieve.content~image': ['An image is retrieved as nothing.', retrieved(holds('input_image'), emptied)],
  'item-retrieve.content~call': [
    'A function call is retrieved without its arguments.',
    retrieved(isType('function_call'), (item) => ({ ...item, arguments: '{}' })),
  ],
  'item-retrieve.content~output': [
    'The output of a function is retrieved without its call.',
    retrieved(isType('function_call_output'), (item) => ({ ...item, call_id: 'call_0' })),
  ],
  'item-retrieve.content~output-text': [
    'The output of a function is retrieved empty.',
    retrieved(isType('function_call_output'), (item) => ({ ...without(item, 'output'), output: '' })),
  ],
})
