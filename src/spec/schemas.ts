import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import type { Shapes } from './types/shapes.d.ts'

/** Name of a shape: the path of its file below `schemas/`, without the ending. */
export type ShapeName = keyof Shapes

/** A JSON Schema (2020-12) of `schemas/`. */
export interface SchemaFile {
  readonly $schema: string
  readonly $id: string
  readonly title: string
  readonly [keyword: string]: unknown
}

const rooms = ['common', 'rest', 'client-events', 'server-events', 'meta'] as const

/** Identifier of a shape's schema; relative references resolve against it. */
export function schemaId(shape: string): string {
  return `https://greenroom.example/schemas/${shape}.json`
}

/** All shapes and their schemas, read from the package once, in a stable order. */
export function schemaFiles(): ReadonlyMap<ShapeName, SchemaFile> {
  return (files ??= readSchemaFiles())
}

let files: ReadonlyMap<ShapeName, SchemaFile> | undefined

function readSchemaFiles(): ReadonlyMap<ShapeName, SchemaFile> {
  const folder = join(packageRoot(), 'schemas')
  return new Map(shapeNames(folder).map((shape) => [shape, read(join(folder, `${shape}.json`))]))
}

function shapeNames(folder: string): ShapeName[] {
  const names = rooms.flatMap((room) =>
    readdirSync(join(folder, room))
      .filter((file) => file.endsWith('.json'))
      .map((file) => `${room}/${file.slice(0, -'.json'.length)}`),
  )
  return names.toSorted() as ShapeName[]
}

function read(file: string): SchemaFile {
  return JSON.parse(readFileSync(file, 'utf8')) as SchemaFile
}
