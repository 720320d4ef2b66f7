import type { Behaviour } from '../behaviour/behaviour.ts'
import { isWire, type Wire, without } from '../wire.ts'
import { defectsOf } from './table.ts'

/** Changes what creates that succeeded are answered with. */
function onSuccess({ http }: Behaviour, change: (envelope: Wire) => Wire): void {
  const { success } = http
  http.success = (data, operation) => {
    const envelope = success(data, operation)
    return operation.startsWith('create-') ? change(envelope) : envelope
  }
}

/** Mistakes that leave things behind with whoever goes by what creates and deletes should be answered with. */
export const leavingDefects = [
  ...defectsOf('avatar-sessions', {
    'create.minimal-text-chat-accepted~no-message': [
      'A create that succeeded has no message.',
      (b) => onSuccess(b, (envelope) => without(envelope, 'message')),
    ],
    'create.minimal-text-chat-accepted~code-200': [
      'A create that succeeded has the code 200.',
      (b) => onSuccess(b, (envelope) => ({ ...envelope, code: 200 })),
    ],
    'create.minimal-text-chat-accepted~code-text': [
      'A create that succeeded has its code in a string.',
      (b) => onSuccess(b, (envelope) => ({ ...envelope, code: '0' })),
    ],
    'create.minimal-text-chat-accepted~list': [
      'A create is answered with a list that holds what was made.',
      ({ http }) => {
        const { encode } = http
        http.encode = (envelope, operation) =>
          operation.startsWith('create-') && envelope['code'] === 0
            ? JSON.stringify([envelope['data']])
            : encode(envelope, operation)
      },
    ],
    'session.id-nonempty~beside-data': [
      'What a create made stands beside the code, not in data.',
      (b) => onSuccess(b, ({ data, ...envelope }) => (isWire(data) ? { ...envelope, ...data } : { ...envelope, data })),
    ],
    'session.id-nonempty~result': [
      'What a create made stands in a member of data.',
      (b) => onSuccess(b, ({ data, ...envelope }) => ({ ...envelope, data: { result: data } })),
    ],
  }),
  ...defectsOf('characters', {
    'deleted.get-rejected~kept': [
      'A delete is confirmed and nothing happens.',
      ({ characters }) => void (characters.deleted = () => undefined),
    ],
  }),
]
