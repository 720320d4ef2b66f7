import { around, set } from '#target/overrides/operators'
import { type JsonObject, without } from '#target/wire'
import { START } from '../tools/characters.ts'
import { CREATE, makes } from '../tools/creates.ts'
import { defectsOf } from '../tools/table.ts'

const VALID_BODY: JsonObject = {
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

export const envelopeDefects = defectsOf('errors.envelope', {
  'nonzero-code-is-failure: A create that was refused as invalid made its session.': set(
    'create.makesRefused',
    (code) => code === '30004',
  ),
  'nonzero-code-is-failure~create-30008: A create that is refused with 30008 makes its session.': makes(
    '30008',
    CREATE,
  ),
  'nonzero-code-is-failure~create-10004: A create that is refused with 10004 makes its session.': makes(
    '10004',
    CREATE,
  ),
  'nonzero-code-is-failure~create-10005: A create that is refused with 10005 makes its session.': makes(
    '10005',
    CREATE,
  ),
  'nonzero-code-is-failure~create-10009: A create that is refused with 10009 makes its session.': makes(
    '10009',
    CREATE,
  ),
  'nonzero-code-is-failure~start-30008: A start that is refused with 30008 makes its session.': makes('30008', START),
  'nonzero-code-is-failure~start-10004: A start that is refused with 10004 makes its session.': makes('10004', START),
  'nonzero-code-is-failure~start-10005: A start that is refused with 10005 makes its session.': makes('10005', START),
  'nonzero-code-is-failure~start-10009: A start that is refused with 10009 makes its session.': makes('10009', START),
  'nonzero-code-is-failure~keyless: A create without a key is refused, and makes its session.': set(
    'access.actsFirst',
    (operation, credential) => operation === CREATE && credential === undefined,
  ),
  'json-object: List answers with an array in place of an object.': around(
    'http.encode',
    (encode) => (envelope, operation) =>
      operation.startsWith('list') ? `[${encode(envelope, operation)}]` : encode(envelope, operation),
  ),
  'code-integer: A failure has its code as words.': ({ http }) => {
    const { failure } = http
    http.failure = (code, message, operation) =>
      code === '20005'
        ? { code: http.names[code].replaceAll(' ', '_'), message, data: {} }
        : failure(code, message, operation)
  },
  'message-string: A failure has its message in an object.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      code === '20005' ? { code: Number(code), message: { en: message }, data: {} } : failure(code, message, operation),
  ),
  'message-string~missing: A success of Get has no message.': around(
    'http.success',
    (success) => (data, operation) =>
      operation.startsWith('get') ? without(success(data, operation), 'message') : success(data, operation),
  ),
  'data-on-success: A close has no data.': around(
    'http.success',
    (success) => (data, operation) =>
      operation.startsWith('close') ? without(success(data, operation), 'data') : success(data, operation),
  ),
  'code-zero-on-success: A list that succeeded has the code 200.': set('http.success', (data, operation) => ({
    code: operation.startsWith('list') ? 200 : 0,
    message: 'success',
    data,
  })),
  'message-describes-failure~success: Failures are described as a success.': around(
    'http.failure',
    (failure) => (code, message, operation) => ({ ...failure(code, message, operation), message: 'Success.' }),
  ),
  'message-describes-failure~number: Failures are described by their code alone.': around(
    'http.failure',
    (failure) => (code, message, operation) => ({ ...failure(code, message, operation), message: code }),
  ),
  'message-describes-failure: Failures have an empty message.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      code === '30004' ? { code: Number(code), message: '', data: {} } : failure(code, message, operation),
  ),
  'message-english: Failures are described in Chinese.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      code === '30004' ? { code: Number(code), message: '请求参数无效', data: {} } : failure(code, message, operation),
  ),
  'snake-case-names: Sessions carry a field in camel case.': set('views.created.createdAt', (session) =>
    new Date(session.createdAt).toISOString(),
  ),
  'fields-inside-data: The conversation of a session stands beside data, not in it.': around(
    'http.success',
    (success) => (data, operation) => {
      if (!operation.startsWith('create')) return success(data, operation)
      const { conversation, ...rest } = Object(data) as JsonObject
      return { ...success(rest, operation), conversation }
    },
  ),
  'malformed-json-rejected: A body that is no JSON makes a session by default.': set('create.unparsable', (bytes) =>
    parses(bytes) ? undefined : VALID_BODY,
  ),
  'body-not-object-rejected: A body that is no object makes a session by default.': set('create.unparsable', (bytes) =>
    parses(bytes) ? VALID_BODY : undefined,
  ),
  'failures-wrapped: An unknown session is told in an envelope of another kind.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      code === '20005' ? { error: { status: 404, title: message } } : failure(code, message, operation),
  ),
  'failures-wrapped~plain: An unknown session is told in plain text.': set(
    'http.failsPlainly',
    (code) => code === '20005',
  ),
  'failures-wrapped~detail: What is invalid is told by a framework, outside the envelope.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      code === '30004' || code === '20004' ? { detail: [{ msg: message }] } : failure(code, message, operation),
  ),
  'failures-wrapped~not-json: A body that is no JSON is answered outside the envelope.': around(
    'http.failure',
    (failure) => (code, message, operation) =>
      message.includes('not a JSON object') ? { error: message } : failure(code, message, operation),
  ),
  'data-on-success~delete: A delete has no data.': around(
    'http.success',
    (success) => (data, operation) =>
      operation === 'delete-character' ? without(success(data, operation), 'data') : success(data, operation),
  ),
  'code-integer~voices: Failures about voices have their code as a string.': around(
    'http.failure',
    (failure) => (code, message, operation) => ({
      ...failure(code, message, operation),
      ...(operation.includes('voice') ? { code } : {}),
    }),
  ),
})
