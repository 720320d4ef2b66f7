import { expect, test } from 'vitest'
import { sameContent } from './items.ts'

const content = [{ type: 'input_text', text: 'Look.' }]
const user = { type: 'message', role: 'user', content }
const call = { type: 'function_call', name: 'look_up', arguments: '{"word":"door"}', call_id: 'c1' }
const output = { type: 'function_call_output', call_id: 'c1', output: 'A door.' }

test.each([
  ['a message without what only calls have', { ...user, name: 'u', arguments: '{}', call_id: 'c' }, user, true],
  ['another role', user, { ...user, role: 'system' }, false],
  ['another text', user, { ...user, content: [{ type: 'input_text', text: 'look.' }] }, false],
  ['a call without its optional id', call, { ...call, call_id: undefined }, true],
  ['a call of another id', call, { ...call, call_id: 'c2' }, false],
  ['arguments in other words', call, { ...call, arguments: '{ "word": "door" }' }, true],
  ['other arguments', call, { ...call, arguments: '{"word":"gate"}' }, false],
  ['another name', call, { ...call, name: 'find' }, false],
  ['another output', output, { ...output, output: 'A gate.' }, false],
  ['an output for another call', output, { ...output, call_id: 'c2' }, false],
])('%s', (_, wanted, shown, same) => {
  expect(sameContent(wanted, JSON.parse(JSON.stringify(shown)))).toBe(same)
})
