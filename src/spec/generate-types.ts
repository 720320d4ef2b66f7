import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { packageRoot } from './package-root.ts'
import { schemaForTypes } from './schema-for-types.ts'
import { schemaFiles, type ShapeName } from './schemas.ts'

/** Where the generated types stand, from the root of the package. */
export const typesFile = 'src/spec/types/shapes.d.ts'

const printWidth = 120
const banner = '/** Generated from schemas/ by src/spec/generate-types.ts; a test compares. */'
const folder = '/schemas/'

/** TypeScript source of all shapes: one type each, and `Shapes`, which maps a shape's name to its type. */
export async function generateTypes(): Promise<string> {
  const source = await compile(root(), 'Shapes', {
    cwd: folder,
    bannerComment: banner,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { printWidth, semi: false, singleQuote: true },
    $refOptions: { resolve: { file: { order: 1, canRead: true, read } } },
  })
  return onOneLine(source)
}

/** As comments are written everywhere else: on one line where they fit. */
function onOneLine(source: string): string {
  return source.replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (whole, indent: string, text: string) => {
    const line = `${indent}/** ${text} */`
    return line.length > printWidth ? whole : line
  })
}

/** One schema that refers to all others, so that each type is declared once. */
function root() {
  const shapes = [...schemaFiles().keys()]
  const properties = Object.fromEntries(shapes.map((shape) => [shape, { $ref: `${shape}.json` }]))
  return { title: 'Shapes', type: 'object' as const, required: shapes, properties }
}

/** Stands in for reading a file: the schema of the shape that a reference leads to. */
function read({ url }: { readonly url: string }): string {
  const shape = url.slice(url.indexOf(folder) + folder.length, -'.json'.length) as ShapeName
  return JSON.stringify(schemaForTypes(schemaFiles().get(shape)))
}

async function main(): Promise<void> {
  const file = join(packageRoot(), typesFile)
  const source = await generateTypes()
  if (!process.argv.includes('--check')) writeFileSync(file, source)
  else if (readFileSync(file, 'utf8') !== source) {
    process.stderr.write(`${typesFile} is not what schemas/ say; run: npx node src/spec/generate-types.ts\n`)
    process.exitCode = 1
  }
}

if (import.meta.main) await main()
