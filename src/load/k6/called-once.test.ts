import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { bundleOf } from './bundle.ts'
import { calledOnce, wayOfEvents } from './called-once.ts'

/** A class with a method that `go` calls, and what `go` returns. */
const classWith = (go: string, rest: string): string =>
  `class A { x = 2; go(a) { ${go} } ${rest} }\nreturn new A().go(3)\n`

const run = (code: string): unknown => runInNewContext(code)

const moved = (body: string): string => calledOnce(`async function all() {\n${body}}\n`)

test.each([
  ['a private method', classWith('return this.#m(a, 4)', '#m(a, b = 1) { return this.x + a * b }'), '#m'],
  ['one of several', classWith('return this.#m(a) + this.go2()', '#m(a) { return a } go2() { return this.x }'), '#m'],
  [
    'methods within each other',
    classWith('return this.#m(a)', '#m(a) { return this.#n(a) } #n(a) { return a + this.x }'),
    '#n',
  ],
])('%s stands where it is called, and does the same', (_, code, gone) => {
  const after = calledOnce(`(() => {\n${code}})()\n`)
  expect(after).not.toContain(`${gone}(`)
  expect(run(after)).toBe(run(`(() => {\n${code}})()\n`))
})

test('a function of the module stands in the method that calls it', () => {
  const code =
    'function twice(a) { return a * 2 }\nclass A { go(a) { return twice(a) } }\nglobalThis.made = new A().go(4)\n'
  expect(calledOnce(code)).not.toContain('function')
  expect(calledOnce(code)).toContain('((a) => { return a * 2 })(a)')
})

test('a method that waits still does', () => {
  expect(moved('class A { async go() { await this.#m() } async #m() { await 1 } }\n')).toContain(
    'await (async () => { await 1 })()',
  )
})

test.each([
  ['called twice', 'class A { go() { this.#m(); this.#m() } #m() { } }\n'],
  ['handed on', 'class A { go() { return this.#m } #m() { } }\n'],
  ['called of another object', 'class A { go(other) { other.#m() } #m() { } }\n'],
  ['calling itself', 'class A { go() { } #m() { this.#m() } }\n'],
  ['using its arguments', 'class A { go() { this.#m() } #m() { return arguments } }\n'],
  ['a generator', 'class A { go() { this.#m() } *#m() { } }\n'],
  ['reading what means something else there', 'const a = 1\nclass A { go(a) { this.#m() } #m() { return a } }\n'],
  ['the way of events', 'class A { heard() { this.#m() } #m() { } }\n'],
  ['called by a function', 'function one() { }\nfunction two() { one() }\n'],
])('what is %s stays where it is', (_, code) => {
  expect(calledOnce(code)).toBe(code)
})

test('private methods of one name in two classes are told apart', () => {
  const one = 'class A { go() { this.#m() } #m() { } }\n'
  const two = 'class B { go() { this.#m(); this.#m() } #m() { } }\n'
  expect(calledOnce(one + two)).toContain(two)
  expect(calledOnce(one + two)).not.toContain(one)
})

test('all that is the way of events is in the script', async () => {
  const script = await bundleOf('control-throughput.ts')
  for (const name of wayOfEvents) expect(script).toMatch(new RegExp(`^\\s*(?:function )?${name}\\(.*\\) \\{$`, 'm'))
})
