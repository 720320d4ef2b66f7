import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** What is read of a JSON Schema. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly $defs?: { readonly [name: string]: Schema }
}

interface Field {
  readonly path: string
  readonly kind: string
  readonly required: boolean
  readonly text: string
}

const introduction = `# The profile

A profile is a JSON file that describes one target: its address, the names of the environment variables that hold its API keys (never their values), what it offers and how long to wait for it. \`npx greenroom init target.json\` writes a starter; its \`$schema\` lets editors explain every field. Comments (\`//\`) and trailing commas may stand in it: \`npx greenroom init target.jsonc --probe URL\` asks a target what it offers and writes each field with its explanation, and \`npx greenroom doctor --target target.jsonc\` says whether the profile fits, and what each missing thing would add.

A field in bold is required. \`<name>\` stands for any name, \`[]\` for each entry of a list.
`

/** The reference of profiles as Markdown, made from \`schemas/meta/profile.json\`. */
export function profileReference(): string {
  const file = join(packageRoot(), 'schemas/meta/profile.json')
  const schema: Schema = JSON.parse(readFileSync(file, 'utf8'))
  const groups = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) === true
    return fieldsOf(name, field, required, schema)
  })
  const single = groups.filter((fields) => fields.length === 1).flat()
  const sections = groups.filter((fields) => fields.length > 1).map(sectionOf)
  return [introduction, table(single), ...sections].join('\n')
}

function sectionOf([first, ...rest]: readonly Field[]): string {
  if (first === undefined) return ''
  return `## \`${first.path}\`\n\n${first.text}\n\n${table(rest)}`
}

function fieldsOf(path: string, given: Schema, required: boolean, root: Schema): Field[] {
  const schema = resolved(given, root)
  const own: Field = { path, kind: kindOf(schema), required, text: textOf(schema) }
  const { properties = {}, additionalProperties, items } = schema
  const below = Object.entries(properties).flatMap(([name, field]) =>
    fieldsOf(`${path}.${name}`, field, schema.required?.includes(name) === true, root),
  )
  const named =
    typeof additionalProperties === 'object' ? fieldsOf(`${path}.<name>`, additionalProperties, false, root) : []
  const entries = items === undefined ? [] : fieldsOf(`${path}[]`, items, false, root)
  return [own, ...below, ...named.filter(({ text }) => text !== ''), ...entries.filter(({ text }) => text !== '')]
}

function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.startsWith('#/$defs/') === true ? schema.$ref.slice('#/$defs/'.length) : undefined
  const shared = name === undefined ? undefined : root.$defs?.[name]
  return shared === undefined ? schema : { ...shared, ...schema }
}

function kindOf({ type, $ref }: Schema): string {
  return type ?? ($ref === undefined ? 'any' : 'string')
}

function textOf({ description = '', default: preset, minimum, maximum }: Schema): string {
  const limits = [
    preset === undefined ? '' : `Default: \`${JSON.stringify(preset)}\`.`,
    minimum === undefined ? '' : `At least ${minimum}.`,
    maximum === undefined ? '' : `At most ${maximum}.`,
  ]
  return [description, ...limits].filter((part) => part !== '').join(' ')
}

function table(fields: readonly Field[]): string {
  const rows = fields.map(({ path, kind, required, text }) => {
    const name = required ? `**\`${path}\`**` : `\`${path}\``
    return `| ${name} | ${kind} | ${text.replaceAll('|', '\\|')} |`
  })
  return ['| field | type | what it says |', '|---|---|---|', ...rows, ''].join('\n')
}
