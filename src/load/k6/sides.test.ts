import { expect, test } from 'vitest'
import { bundleOf } from './bundle.ts'
import { joinSides } from './sides.ts'

const outside = `import * as execution from "k6/execution";
import { SharedArray, other as renamed } from "k6/data";
import "k6/http";
const judgeAll = () => [execution, SharedArray, renamed];
var entry_default = () => judgeAll();
export { entry_default as default, options };`

const user = `import http, { file } from "k6/http";
import { SharedArray } from "k6/data";
const options = [http, file, SharedArray];
export { options };`

test('each side becomes a function, and what both import is imported once', () => {
  const code = joinSides({ outside, user })
  expect(code.match(/^import .*$/gm)).toEqual([
    'import * as k6$0 from "k6/execution";',
    'import { SharedArray as k6$1 } from "k6/data";',
    'import { other as k6$2 } from "k6/data";',
    'import { default as k6$3 } from "k6/http";',
    'import { file as k6$4 } from "k6/http";',
  ])
  expect(code).toContain('const SharedArray = k6$1; const renamed = k6$2;')
  expect(code).toContain('return { default: entry_default, options: options };')
  expect(code).toContain('const http = k6$3; const file = k6$4;')
  expect(code).toContain('const side = __VU === 0 ? outside() : user();')
})

test('what it does not know is refused', () => {
  expect(() => joinSides({ outside, user: 'export default () => undefined;' })).toThrow('can not hold')
})

test('in a bundle, users have no judging which is done by nobody but user 0', async () => {
  const [, first = '', second = ''] = (await bundleOf('control-throughput.ts')).split(/^const (?:outside|user) = /m)
  for (const judging of ['judgeRun', 'chainLaws', 'planOf', 'readSettings']) {
    expect(first).toContain(judging)
    expect(second).not.toContain(judging)
  }
  expect(second).toContain('new Conversation(')
})
