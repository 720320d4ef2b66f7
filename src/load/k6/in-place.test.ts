import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { bundleOf } from './bundle.ts'
import { inPlace, wayOfEvents } from './in-place.ts'

/** A class with a method that `go` calls, and what `go` returns. */
const classWith = (go: string, rest: string): string =>
  `class A { x = 2; go(a) { ${go} } ${rest} }\nreturn new A().go(3)\n`

const run = (code: string): unknown => runInNewContext(code)

const moved = (body: string): string => inPlace(`globalThis.all = async () => {\n${body}}\n`)

test.each([
  ['a private method', classWith('return this.#m(a, 4)', '#m(a, b = 1) { return this.x + a * b }'), '#m'],
  ['one of several', classWith('return this.#m(a) + this.go2()', '#m(a) { return a } go2() { return this.x }'), '#m'],
  [
    'methods within each other',
    classWith('return this.#m(a)', '#m(a) { return this.#n(a) } #n(a) { return a + this.x }'),
    '#n',
  ],
])('%s stands where it is called, and does the same', (_, code, gone) => {
  const after = inPlace(`(() => {\n${code}})()\n`)
  expect(after).not.toContain(`${gone}(`)
  expect(run(after)).toBe(run(`(() => {\n${code}})()\n`))
})

test('a function of the module stands in the method that calls it', () => {
  const code =
    'function twice(a) { return a * 2 }\nclass A { go(a) { return twice(a) } }\nglobalThis.made = new A().go(4)\n'
  expect(inPlace(code)).not.toContain('function')
  expect(inPlace(code)).toContain('((a) => { return a * 2 })(a)')
})

test('a method that waits still does', () => {
  expect(moved('class A { async go() { await this.#m() } async #m() { await 1 } }\n')).toContain(
    'await (async () => { await 1 })()',
  )
})

test.each([
  ['a method', classWith('return this.#m(a) + this.#m(4)', '#m(a) { return this.x * a }'), '#m'],
  [
    'a function that another one calls',
    'function twice(a) { return 2 * a }\nfunction four(a) { return twice(twice(a)) }\nreturn [four(1), twice(3)].join()\n',
    'function',
  ],
  ['an arrow function', 'const named = (a) => ({ a })\nreturn named(named(1)).a.a\n', 'const'],
  [
    'a function that a block declares',
    'function go(a) {\nconst half = (b) => b / 2\nreturn half(a) + half(4)\n}\nreturn go(1)\n',
    'const',
  ],
])('%s stands in each of several places, and does the same', (_, code, gone) => {
  const after = inPlace(`(() => {\n${code}})()\n`)
  expect(after).not.toContain(gone)
  expect(run(after)).toBe(run(`(() => {\n${code}})()\n`))
})

test.each([
  ['handed on', 'class A { go() { return this.#m } #m() { } }\n'],
  ['called of another object', 'class A { go(other) { other.#m() } #m() { } }\n'],
  ['calling itself', 'class A { go() { } #m() { this.#m() } }\n'],
  ['using its arguments', 'class A { go() { this.#m() } #m() { return arguments } }\n'],
  ['a generator', 'class A { go() { this.#m() } *#m() { } }\n'],
  ['reading what means something else there', 'const a = 1\nclass A { go(a) { this.#m() } #m() { return a } }\n'],
  ['the way of events', 'class A { heard() { this.#m() } #m() { } }\n'],
  ['called by the way of events, too', 'class A { go() { this.#m() } heard() { this.#m() } #m() { } }\n'],
  ['hidden where it is called', 'function one() { }\nfunction two(one) { one() }\nglobalThis.all = [two]\n'],
  ['handed on as well as called', 'function one() { }\nglobalThis.all = [one, one()]\n'],
  ['too long to stand in two places', `function one() { return '${'x'.repeat(20_000)}' }\none()\none()\n`],
])('what is %s stays where it is', (_, code) => {
  expect(inPlace(code)).toBe(code)
})

test('of functions that call each other, one stays', () => {
  const code = `function even(a) { return a === 0 || odd(a - 1) }\nfunction odd(a) { return a > 0 && even(a - 1) }\n`
  const after = inPlace(`(() => {\n${code}return even(6)\n})()\n`)
  expect(run(after)).toBe(true)
})

test('what stands within another function that moves may not be misread there either', () => {
  const code = 'const a = 1\nfunction inner() { return a }\nfunction outer() { return inner() }\n'
  const after = inPlace(`(() => {\n${code}function all(a) { return outer() + a }\nreturn all(5)\n})()\n`)
  expect(run(after)).toBe(6)
})

test('private methods of one name in two classes are told apart', () => {
  const one = 'class A { go() { this.#m() } #m() { } }\n'
  const two = 'class B { go() { return this.#m } #m() { } }\n'
  expect(inPlace(one + two)).toContain(two)
  expect(inPlace(one + two)).not.toContain(one)
})

test('all that is the way of events is in the script', async () => {
  const script = await bundleOf('control-throughput.ts')
  for (const name of wayOfEvents) expect(script).toMatch(new RegExp(`^\\s*(?:function )?${name}\\(.*\\) \\{$`, 'm'))
})
