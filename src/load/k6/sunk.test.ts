import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { bundleOf } from './bundle.ts'
import { sunk } from './sunk.ts'

/** What the statements of the module itself declare. */
function outermost(code: string): readonly string[] {
  return parseSync('module.js', code).program.body.map(({ start, end }) => {
    const [, name = ''] = /^(?:export |async )*(?:function|const|var|class) (\w+)/.exec(code.slice(start, end)) ?? []
    return name
  })
}

test('what one function needs stands in it, with what only that needs', () => {
  const code = sunk(`
const more = ['b'];
const words = ['a', ...more];
const twice = (text) => text + text;
function inner() { return [twice('c'), words]; }
function outer() { return inner(); }
async function waits() { return new Sample(); }
var Sample = class { read() { return 1; } };
export const all = [outer(), waits()];
`)
  expect(outermost(code)).toEqual(['outer', 'waits', 'Sample', 'all'])
  expect(code).toMatch(/function outer\(\) \{\n(?:.*\n)*function inner\(\) \{\n(?:.*\n)*const twice/)
})

test('what several need stands in what holds them all, or stays', () => {
  const code = sunk(`
const both = () => 1;
const everywhere = () => 2;
function one() { return both() + everywhere(); }
function other() { return both() + everywhere(); }
function whole() { return one() + other(); }
const method = () => 3;
export class Some { run() { return whole() + method(); } }
export const sum = everywhere();
`)
  expect(outermost(code)).toEqual(['everywhere', 'whole', 'method', 'Some', 'sum'])
})

test.each([
  [
    'a parameter of its own name',
    'const held = () => name;\nconst name = 1;\nexport function f(name) { return held(name); }',
  ],
  [
    'a variable of its own name',
    'const held = () => name;\nlet name = 1;\nexport function f() { const name = 2; return held(name); }',
  ],
  ['a value that parameters need', 'const held = [1];\nexport function f(list = held) { return list; }'],
  ['what is computed once', 'const held = new Map();\nexport function f() { return held.set(1, 2); }'],
  ['what grows', 'const held = [];\nexport function f() { return held.push(1); }'],
  ['a class that is made once for all calls', 'var held = class {};\nexport async function f() { return new held(); }'],
])('it stays where it is: %s', (_, module) => {
  expect(outermost(sunk(module))[0]).toBe('held')
})

test('it runs as before', async () => {
  const module = `
const names = { first: 'a', last: 'b' };
const greet = ({ name, other = names.last }) => \`\${name}-\${other}\`;
function each(list) { return list.map((name) => greet({ name })); }
export const run = () => { function local() { return each([names.first, 'c']); } return local(); };
`
  const run = async (code: string): Promise<unknown> =>
    ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { run(): unknown }).run()
  expect(await run(sunk(module))).toEqual(await run(module))
})

test('the way of every event makes no functions', async () => {
  const [, , user = ''] = (await bundleOf('control-throughput.ts')).split(/^const (?:outside|user) = /m)
  const [, ofBucket = ''] = /^function bucketOf\(ms\) \{\n([^]*?)^\}/m.exec(user) ?? []
  expect(ofBucket).toContain('ceil')
  expect(ofBucket).not.toMatch(/function|=>/)
})
