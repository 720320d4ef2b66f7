import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import { schemaFiles, type ShapeName } from './schemas.ts'
import type { Exhibit } from './types/shapes.d.ts'

/** Where a shape's exhibit stands; absolute. */
export function exhibitFile(shape: string): string {
  return join(packageRoot(), 'fixtures/payloads', `${shape}.json`)
}

/** All shapes that have an exhibit, with it. */
export function exhibits(): ReadonlyMap<ShapeName, Exhibit> {
  const shapes = [...schemaFiles().keys()].filter((shape) => existsSync(exhibitFile(shape)))
  return new Map(shapes.map((shape) => [shape, JSON.parse(readFileSync(exhibitFile(shape), 'utf8')) as Exhibit]))
}
