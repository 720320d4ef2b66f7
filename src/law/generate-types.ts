import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileFromFile } from 'json-schema-to-typescript'
import { packageRoot } from './package-root.ts'
import { schemaForTypes } from './schema-for-types.ts'
import { schemaFiles } from './schemas.ts'

/** Where the generated types stand, from the root of the package. */
export const typesFile = 'src/law/types/shapes.d.ts'

const banner = '/** Generated from schemas/ by src/law/generate-types.ts; a test compares. */'

/** TypeScript source of all shapes: one interface each, and `Shapes`, which maps a shape's name to its type. */
export async function generateTypes(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-types-'))
  try {
    return await compileFromFile(writeRoot(folder), {
      cwd: `${folder}/`,
      bannerComment: banner,
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      style: { printWidth: 120, semi: false, singleQuote: true },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the schemas and refers to all of them from one root, so that each type is declared once. */
function writeRoot(folder: string): string {
  const properties: Record<string, unknown> = {}
  for (const [shape, schema] of schemaFiles()) {
    mkdirSync(dirname(join(folder, shape)), { recursive: true })
    writeFileSync(join(folder, `${shape}.json`), JSON.stringify(schemaForTypes(schema)))
    properties[shape] = { $ref: `${shape}.json` }
  }
  const root = join(folder, 'shapes.json')
  const required = Object.keys(properties)
  writeFileSync(root, JSON.stringify({ title: 'Shapes', type: 'object', required, properties }))
  return root
}

async function main(): Promise<void> {
  const file = join(packageRoot(), typesFile)
  const source = await generateTypes()
  if (!process.argv.includes('--check')) writeFileSync(file, source)
  else if (readFileSync(file, 'utf8') !== source) {
    process.stderr.write(`${typesFile} is not what schemas/ say; run: npx node src/law/generate-types.ts\n`)
    process.exitCode = 1
  }
}

if (import.meta.main) await main()
