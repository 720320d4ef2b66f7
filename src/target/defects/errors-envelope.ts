import { type Wire, without } from '../wire.ts'
import { defectsOf } from './table.ts'

const VALID_BODY: Wire = {
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'fallback' }],
}

const parses = (bytes: Buffer): boolean => {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

export const envelopeDefects = defectsOf('errors', {
  'envelope.json-object': [
    'List answers with an array in place of an object.',
    ({ http }) => {
      const { encode } = http
      http.encode = (envelope, operation) =>
        operation.startsWith('list') ? `[${encode(envelope, operation)}]` : encode(envelope, operation)
    },
  ],
  'envelope.code-integer': [
    'A failure has its code as words.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        code === '20005'
          ? { code: http.names[code].replaceAll(' ', '_'), message, data: {} }
          : failure(code, message, operation)
    },
  ],
  'envelope.message-string': [
    'A failure has its message in an object.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        code === '20005'
          ? { code: Number(code), message: { en: message }, data: {} }
          : failure(code, message, operation)
    },
  ],
  'envelope.message-string~missing': [
    'A success of Get has no message.',
    ({ http }) => {
      const { success } = http
      http.success = (data, operation) =>
        operation.startsWith('get') ? without(success(data, operation), 'message') : success(data, operation)
    },
  ],
  'envelope.data-on-success': [
    'A close has no data.',
    ({ http }) => {
      const { success } = http
      http.success = (data, operation) =>
        operation.startsWith('close') ? without(success(data, operation), 'data') : success(data, operation)
    },
  ],
  'envelope.code-zero-on-success': [
    'A list that succeeded has the code 200.',
    ({ http }) =>
      void (http.success = (data, operation) => ({
        code: operation.startsWith('list') ? 200 : 0,
        message: 'success',
        data,
      })),
  ],
  'envelope.nonzero-code-is-failure': [
    'A create that was refused as invalid made its session.',
    ({ create }) => void (create.makesRefused = (code) => code === '30004'),
  ],
  'envelope.message-describes-failure': [
    'Failures have an empty message.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        code === '30004' ? { code: Number(code), message: '', data: {} } : failure(code, message, operation)
    },
  ],
  'envelope.message-english': [
    'Failures are described in Chinese.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        code === '30004' ? { code: Number(code), message: '请求参数无效', data: {} } : failure(code, message, operation)
    },
  ],
  'envelope.snake-case-names': [
    'Sessions carry a field in camel case.',
    ({ views }) => {
      views.created['createdAt'] = (session) => new Date(session.createdAt).toISOString()
    },
  ],
  'envelope.fields-inside-data': [
    'The conversation of a session stands beside data, not in it.',
    ({ http }) => {
      const { success } = http
      http.success = (data, operation) => {
        if (!operation.startsWith('create')) return success(data, operation)
        const { conversation, ...rest } = Object(data) as Wire
        return { ...success(rest, operation), conversation }
      }
    },
  ],
  'envelope.malformed-json-rejected': [
    'A body that is no JSON makes a session by default.',
    ({ create }) => void (create.unparsable = (bytes) => (parses(bytes) ? undefined : VALID_BODY)),
  ],
  'envelope.body-not-object-rejected': [
    'A body that is no object makes a session by default.',
    ({ create }) => void (create.unparsable = (bytes) => (parses(bytes) ? VALID_BODY : undefined)),
  ],
  'envelope.failures-wrapped~plain': [
    'An unknown session is told in plain text.',
    ({ http }) => void (http.failsPlainly = (code) => code === '20005'),
  ],
  'envelope.failures-wrapped': [
    'An unknown session is told in an envelope of another kind.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        code === '20005' ? { error: { status: 404, title: message } } : failure(code, message, operation)
    },
  ],
})
