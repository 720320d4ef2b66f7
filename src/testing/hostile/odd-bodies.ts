import { always } from './fixed-answers.ts'
import type { Expectation, HostileTarget } from './hostile-target.ts'
import { deepArray, nastyText, pollution } from './nasty-text.ts'
import { serveRest } from './serve.ts'

const nastyCreate = JSON.stringify({
  code: 0,
  message: nastyText,
  data: { session_id: nastyText, status: nastyText, control: { url: nastyText, client_secret: nastyText } },
})

/** The bytes of a valid envelope, save that its message is no UTF-8. */
const invalidUtf8 = Buffer.concat([
  Buffer.from('{"code":30004,"message":"'),
  Buffer.of(0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80),
  Buffer.from('","data":{}}'),
])

function row(id: string, description: string, body: string | Buffer, expect: Expectation): HostileTarget {
  return { id, description, start: () => serveRest(always(200, body)), expect }
}

/** Bodies that hurt whoever parses, copies or prints them. */
export const oddBodies: HostileTarget[] = [
  row('deep-json', 'an envelope whose data is nested 100,000 deep', `{"code":0,"message":"","data":${deepArray}}`, {
    sessions: false,
  }),
  row('invalid-utf8', 'an envelope whose message is no UTF-8', invalidUtf8, { sessions: false }),
  row(
    'proto-keys',
    '__proto__ and constructor as keys, and as the session id',
    `{"code":0,"message":"",${pollution},"data":{"session_id":"__proto__",${pollution}}}`,
    { envelope: true, sessions: false },
  ),
  row('nasty-success', 'escape sequences, markup and newlines in the message and the ids', nastyCreate, {
    envelope: true,
    sessions: false,
  }),
  row(
    'nasty-error',
    'escape sequences, markup and newlines in the message of an error',
    JSON.stringify({ code: 30004, message: nastyText, data: null }),
    { envelope: true, sessions: false },
  ),
]
