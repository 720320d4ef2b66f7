import { schemaFiles, schemaId, type ShapeName } from '#spec/schemas'
import type { JsonObject, Reference } from './interface.ts'

/** Keywords that hold instances and no schemas. */
const instances = new Set(['const', 'enum', 'default', 'examples'])

/** Keywords that hold schemas by names of their own, which may be those of keywords. */
const named = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/** Keywords with which a schema file names itself and its dialect. */
const own = new Set(['$schema', '$id'])

/** The shapes that a document refers to: each a component, called by the title of its schema. */
export class Components {
  readonly #shapes = new Map([...schemaFiles()].map(([shape, { $id }]) => [$id, shape]))
  readonly #schemas = new Map<string, { readonly shape: ShapeName; schema: JsonObject }>()

  /**
   * A reference to a shape; makes components of it and of all that it refers to.
   *
   * @throws Error where two shapes have one title
   */
  refer(shape: ShapeName): Reference {
    const file = schemaFiles().get(shape)
    if (file === undefined) throw new Error(`There is no shape ${shape}`)
    const found = this.#schemas.get(file.title)
    if (found === undefined) this.#collect(shape, file.title)
    else if (found.shape !== shape) throw new Error(`${shape} and ${found.shape} are both called ${file.title}`)
    return { $ref: `#/components/schemas/${file.title}` }
  }

  /** A shape's own schema, which becomes no component; what it refers to does. */
  inline(shape: ShapeName): JsonObject {
    const fields = Object.entries(schemaFiles().get(shape) ?? {}).filter(([keyword]) => !own.has(keyword))
    return this.#schema(Object.fromEntries(fields), shape)
  }

  /** The components so far, by name. */
  schemas(): JsonObject {
    const sorted = [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]))
  }

  /** A shape may lead back to itself, so it is known before it is read. */
  #collect(shape: ShapeName, title: string): void {
    const component = { shape, schema: {} }
    this.#schemas.set(title, component)
    component.schema = this.inline(shape)
  }

  #schema(schema: object, from: ShapeName): JsonObject {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, this.#keyword(keyword, value, from)]),
    )
  }

  #keyword(keyword: string, value: unknown, from: ShapeName): unknown {
    if (keyword === '$ref' && typeof value === 'string') return this.#followed(value, from)
    if (instances.has(keyword)) return value
    if (!named.has(keyword) || typeof value !== 'object' || value === null) return this.#node(value, from)
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#node(schema, from)]))
  }

  #node(node: unknown, from: ShapeName): unknown {
    if (Array.isArray(node)) return node.map((member) => this.#node(member, from))
    return typeof node === 'object' && node !== null ? this.#schema(node, from) : node
  }

  /** Where a reference of a schema file leads in the document. */
  #followed(reference: string, from: ShapeName): string {
    const { href, hash } = new URL(reference, schemaId(from))
    const shape = this.#shapes.get(href.slice(0, href.length - hash.length))
    if (shape === undefined) throw new Error(`${from} refers to ${reference}, which is no shape`)
    return this.refer(shape).$ref + hash.slice(1)
  }
}
