import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** The room a file lives in, as a path from the root. */
type Room = string

/** What each room may import, beside itself, Node's pure modules and packages named here. */
const walls: { readonly [room: Room]: { readonly rooms: readonly Room[]; readonly packages: readonly string[] } } = {
  'src/spec': {
    rooms: ['schemas', 'suites', 'src/trace'],
    packages: [
      'node:fs',
      'node:path',
      'node:url',
      'node:crypto',
      'ajv',
      'ajv/dist/2020.js',
      'json-schema-to-typescript',
    ],
  },
  'src/trace': {
    rooms: [],
    packages: [
      'node:fs',
      'node:crypto',
      'node:perf_hooks',
      'node:string_decoder',
      'node:buffer',
      'node:timers/promises',
      'node:util',
    ],
  },
  'src/judge': { rooms: ['src/spec', 'src/trace'], packages: [] },
  'src/arbitraries': { rooms: ['src/spec', 'src/trace'], packages: ['fast-check'] },
  'src/client': { rooms: ['src/spec', 'src/trace'], packages: ['undici', 'ws', 'tldts', 'node:'] },
  'src/target': {
    rooms: ['schemas', 'src/spec'],
    packages: ['fastify', '@fastify/busboy', 'file-type', 'ws', 'selfsigned', 'node:'],
  },
  'src/scenario': {
    rooms: ['src/spec', 'src/trace', 'src/client', 'suites', 'src/judge'],
    packages: ['node:', 'vitest', 'vitest/node', 'allure-vitest/reporter', 'allure-js-commons'],
  },
  'src/export': { rooms: ['src/spec'], packages: ['node:fs', 'node:path'] },
  'src/replay': {
    rooms: ['src/spec', 'src/trace', 'src/client', 'src/judge', 'src/scenario', 'src/text'],
    packages: ['node:fs', 'node:path', 'node:crypto'],
  },
  'src/text': { rooms: [], packages: [] },
  'src/page': { rooms: ['src/spec', 'src/text'], packages: ['node:fs', 'node:path', 'node:crypto', 'node:module'] },
  'src/certificate': {
    rooms: ['src/judge', 'src/trace', 'src/spec', 'src/text', 'src/page'],
    packages: ['node:crypto', 'node:zlib', '@sigstore/core', 'uqr'],
  },
  'src/report': { rooms: ['src/judge', 'src/trace', 'src/spec', 'src/text', 'src/page'], packages: ['node:util'] },
  'src/recording': {
    rooms: ['src/spec', 'src/trace', 'src/client', 'src/judge', 'src/scenario', 'src/report', 'src/text', 'src/page'],
    packages: ['node:', 'ws', '@fastify/busboy', '@streamparser/json'],
  },
  'src/load': {
    rooms: ['load', 'src/spec', 'src/trace', 'src/judge', 'src/text', 'src/page'],
    packages: ['node:', 'rolldown', 'rolldown/utils'],
  },
  load: { rooms: [], packages: ['k6/'] },
  'load/testing': { rooms: ['load'], packages: ['k6/', 'node:fs', 'node:url'] },
  'src/media': {
    rooms: ['src/spec'],
    packages: ['node:fs', 'node:path', 'mediabunny', '@breezystack/lamejs'],
  },
  suites: {
    rooms: ['src/media', 'src/scenario', 'src/arbitraries', 'src/spec', 'src/trace', 'src/judge'],
    packages: [],
  },
}

/** Of `src/spec`, the target sees the tables only. */
const tablesOnly = ['src/spec/tables.ts', 'src/spec/package-root.ts', 'src/spec/profile.ts']

interface Import {
  readonly file: string
  readonly specifier: string
  readonly to: string | undefined
  readonly typeOnly: boolean
}

const files = globSync('{src,suites,load}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
const imports = files.flatMap((file) => importsOf(file))
const parts = [...new Set(files.filter((file) => file.startsWith('suites/')).map(part))]

test.each(Object.keys(walls))('%s imports only what its wall lets through', (room) => {
  const wall = walls[room]
  const forbidden = imports.filter((one) => roomOf(one.file) === room && !allowed(one, room, wall))
  expect(forbidden.map((one) => `${one.file} → ${one.specifier}`)).toEqual([])
})

test('nothing imports the command line', () => {
  const found = imports.filter((one) => one.to?.startsWith('src/cli/') === true && roomOf(one.file) !== 'src/cli')
  expect(found).toEqual([])
})

test('the reference target sees the spec tables and nothing else of `src/spec`', () => {
  const specTables = imports.filter(
    (one) => roomOf(one.file) === 'src/target' && one.to?.startsWith('src/spec/') === true,
  )
  expect(
    specTables.filter((one) => !tablesOnly.includes(one.to ?? '')).map((one) => `${one.file} → ${one.to}`),
  ).toEqual([])
})

test('no suite reaches into another part', () => {
  const sideways = imports.filter(
    (one) => roomOf(one.file) === 'suites' && one.to?.startsWith('suites/') === true && part(one.file) !== part(one.to),
  )
  expect(sideways.map((one) => `${one.file} → ${one.to}`)).toEqual([])
})

test.each(parts)('%s: what judges never sees what drives', (one) => {
  const judging = reachedFrom(`suites/${one}/rules.ts`)
  const drives = /^src\/(?:scenario|client|media|arbitraries)\//
  const seen = imports.filter(({ file, to, typeOnly }) => judging.has(file) && !typeOnly && drives.test(to ?? ''))
  expect(seen.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
})

test('what a virtual user does, and how it is counted, runs without k6', () => {
  const found = imports.filter(
    (one) => /^load\/(?:core|scenarios|workloads)\b/.test(one.file) && one.specifier.startsWith('k6'),
  )
  expect(found.map((one) => `${one.file} → ${one.specifier}`)).toEqual([])
})

test('shipped code never imports test support', () => {
  const found = imports.filter(
    (one) => one.to?.startsWith('src/testing/') === true && !['src/testing', 'src/bench'].includes(roomOf(one.file)),
  )
  expect(found).toEqual([])
})

test('no file leads back to itself, types included: whoever reads one needs nothing of what uses it', () => {
  const to = Map.groupBy(imports, ({ file }) => file)
  const [seen, ended, circles] = [new Set<string>(), new Set<string>(), [] as string[]]
  const follow = (file: string, way: readonly string[]): void => {
    if (ended.has(file)) return
    if (seen.has(file)) {
      circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
      return
    }
    seen.add(file)
    for (const one of to.get(file) ?? []) if (one.to !== undefined) follow(one.to, [...way, file])
    ended.add(file)
  }
  for (const file of to.keys()) follow(file, [])
  expect(circles).toEqual([])
})

test('no folder holds more than 25 files besides tests: nobody finds his way in a larger one', () => {
  const folders = Map.groupBy(files, (file) => dirname(file))
  const large = [...folders].filter(([, held]) => held.length > 25).map(([folder, held]) => `${folder}: ${held.length}`)
  expect(large).toEqual([])
})

/** The files of the suites that a file imports, it itself and what these import included. */
function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set([start])
  for (const file of reached) {
    for (const one of imports) if (one.file === file && one.to?.startsWith('suites/') === true) reached.add(one.to)
  }
  return reached
}

function allowed(one: Import, room: Room, wall: (typeof walls)[string] | undefined): boolean {
  if (one.to === undefined) {
    const wanted = wall?.packages ?? []
    return wanted.some((name) => (/[:/]$/.test(name) ? one.specifier.startsWith(name) : one.specifier === name))
  }
  const target = roomOf(one.to)
  if (target === room || wall?.rooms.includes(target) === true) return true
  return (
    one.typeOnly &&
    (target === 'src/client' || target === 'src/judge') &&
    (room === 'suites' || room === 'src/scenario')
  )
}

function roomOf(file: string): Room {
  const [first, second] = file.split('/')
  if (first === 'load' && second === 'testing') return 'load/testing'
  return first === 'src' ? `src/${second ?? ''}` : (first ?? '')
}

function part(file: string): string {
  return file.split('/')[1] ?? ''
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...found].map((match) => {
    const specifier = match[2] ?? match[3] ?? ''
    const to = pathOf(file, specifier)
    return { file, specifier, to, typeOnly: match[1] !== undefined }
  })
}

/** The file that an import names, as a path from the root; undefined for a package. */
function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}.ts`
  return specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : undefined
}
