import { schemaFiles } from '#spec/schemas'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { printable } from '#text/printable'

/** What stands in a profile that explains itself. */
export interface Commented {
  /** As a profile has it; what is missing in it is written as a comment, with an example. */
  readonly values: JsonObject
  /** More to say of a field, by its path: `media.image_url`. */
  readonly notes: ReadonlyMap<string, string>
}

/** A profile with every field of the schema, each explained by it and set apart by an empty line: JSON with comments. */
export function commentedProfile({ values, notes }: Commented): string {
  const schema = schemaFiles().get('meta/profile')
  const lines = fieldsOf(schema).flatMap(([name, field]) => fieldLines(name, field, values[name], { notes, depth: 1 }))
  return ['{', ...lines.slice(1), '}', ''].join('\n')
}

interface Place {
  readonly notes: Commented['notes']
  /** Path of the object that the field stands in, with its last dot. */
  readonly path?: string
  readonly depth: number
}

type Field = JsonObject

const fieldsOf = (schema: unknown): readonly (readonly [string, Field])[] => {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties)
    ? Object.entries(properties).flatMap(([name, field]) => (isObject(field) ? [[name, field] as const] : []))
    : []
}

/** Those whose fields are explained one by one; others are given as a whole. */
const opened = new Set(['keys', 'abilities', 'limits', 'media', 'triggers', 'timeouts'])

function fieldLines(name: string, field: Field, value: Json | undefined, place: Place): readonly string[] {
  const { notes, path = '', depth } = place
  const indent = '  '.repeat(depth)
  const own = `${path}${name}`
  const note = notes.get(own)
  const { description } = field
  const comments = [typeof description === 'string' ? description : '', ...(note === undefined ? [] : [note])]
  const head = [...(depth === 1 ? [''] : []), ...comments.map((text) => `${indent}// ${printable(text, 600)}`)]
  if (depth === 1 && opened.has(name)) {
    const inside = isObject(value) ? value : {}
    const below = { notes, path: `${own}.`, depth: depth + 1 }
    const lines = fieldsOf(field).flatMap(([key, inner]) => fieldLines(key, inner, inside[key], below))
    return [...head, `${indent}${JSON.stringify(name)}: {`, ...lines, `${indent}},`]
  }
  const shown = value ?? exampleOf(own, field)
  const line = `${JSON.stringify(name)}: ${spaced(shown)},`
  return [...head, `${indent}${value === undefined ? `// ${line}` : line}`]
}

/** On one line, as people write it. */
function spaced(value: Json): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ').replace('[ ]', '[]')
}

const examples: { readonly [path: string]: Json } = {
  ca_file: 'ca.pem',
  'media.image_url': 'https://media.example/portrait.png',
  'media.audio_url': 'https://media.example/speech.wav',
  'media.voice_sample': 'voice.wav',
  'triggers.moderated_text': 'a text that the moderation refuses',
  'triggers.failing_voice_name': 'a name for which cloning fails',
  'triggers.tool_call_text': 'What time is it in Paris?',
  control_hosts: ['control.example'],
  denies: ['create-avatar-session'],
  headers: { 'X-Gate': 'GREENROOM_GATE' },
  proxy: 'GREENROOM_PROXY',
  objectives: { latency: { first_delta: { p95_ms: 800 } }, error_share: 0.01 },
  expected_failures: [
    { id: 'voices.clone.accepted', reason: 'why it fails', owner: 'who will mend it', expires: '2030-12-31' },
  ],
}

function exampleOf(path: string, field: Field): Json {
  const [section = '', name = ''] = path.split('.')
  if (section === 'keys') return `GREENROOM_KEY_${name.toUpperCase()}`
  if (section === 'limits') return { requests_per_minute: 60, concurrent_sessions: 2 }
  if (section === 'abilities') return true
  return examples[path] ?? field['default'] ?? ''
}
