// Plain JavaScript: writes dist/package.json, by which compiled code finds what it imports as "#spec/…", since the
// package's own package.json names the sources.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const compiled = Object.entries(imports).map(([name, source]) => [name, source.replace(/\.ts$/, '.js')])
const manifest = { private: true, type: 'module', imports: Object.fromEntries(compiled) }
writeFileSync(join(root, 'dist/package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
