// Plain JavaScript: clears dist, since indexes read folders, and writes dist/package.json, by which compiled code finds
// what it imports as "#spec/…": the package's own package.json names the sources.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const compiled = Object.entries(imports).map(([name, source]) => [name, source.replace(/\.ts$/, '.js')])
const manifest = { private: true, type: 'module', imports: Object.fromEntries(compiled) }
const dist = join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
