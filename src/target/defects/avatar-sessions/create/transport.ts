import { around, drop, set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { refuseCreate } from '../../tools/refusals.ts'
import { defectsOf } from '../../tools/table.ts'

export const createDefects = defectsOf('avatar-sessions.create', {
  'transport-unused-in-text-chat: A text chat must have no delivery.': refuseCreate(
    ({ mode, body }) => mode === 'text_chat' && body['delivery'] !== undefined,
  ),
  'transport-unknown-rejected: An unknown transport means rtc_a.': [
    drop('validations.createSession', 'transport-unknown'),
    around('create.transport', (transport) => (body) => (transport(body) === 'rtc_b' ? 'rtc_b' : 'rtc_a')),
  ],
  'transport-default: The default transport is rtc_b.': around(
    'create.transport',
    (transport) => (body) => (body['delivery'] === undefined ? 'rtc_b' : transport(body)),
  ),
  'transport-rtc-a: rtc_a is delivered over rtc_b.': around(
    'create.transport',
    (transport) => (body) => (body['delivery'] === undefined ? transport(body) : 'rtc_b'),
  ),
  'transport-rtc-b: rtc_b is delivered over rtc_a.': set('create.transport', () => 'rtc_a'),
  'transport-rtc-b~lite-model: The lightweight model is always delivered over rtc_a.': around(
    'create.transport',
    (transport) => (body) => (textOf(body['model'])?.endsWith('-lite') === true ? 'rtc_a' : transport(body)),
  ),
})
