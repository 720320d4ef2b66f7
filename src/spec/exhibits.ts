import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import { schemaFiles, type ShapeName } from './schemas.ts'
import type { Exhibit } from './types/shapes.d.ts'

/** Where the exhibits stand; absolute. Below it, each has the path of its shape. */
export function exhibitFolder(): string {
  return join(packageRoot(), 'fixtures/payloads')
}

function exhibitFile(shape: string): string {
  return join(exhibitFolder(), `${shape}.json`)
}

/** All shapes that have an exhibit, with it. */
export function exhibits(): ReadonlyMap<ShapeName, Exhibit> {
  const shapes = [...schemaFiles().keys()].filter((shape) => existsSync(exhibitFile(shape)))
  return new Map(shapes.map((shape) => [shape, JSON.parse(readFileSync(exhibitFile(shape), 'utf8')) as Exhibit]))
}
