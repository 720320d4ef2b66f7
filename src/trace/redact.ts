import { decoded } from './decoded.ts'
import { type Json, isObject } from './json.ts'
import { createSecretFinder, shortest } from './secret-finder.ts'
import { formsOf } from './secret-forms.ts'
import {
  credentialIn,
  inAuthority,
  inJsonText,
  inQuery,
  inQuotedJsonText,
  isSecretName,
  mayHoldPair,
} from './secret-names.ts'
import { createStandIns, isStandIn } from './stand-ins.ts'

/** A secret that is known before the run begins. */
export interface KnownSecret {
  /** Two words: `api_key primary`, `header x-gate`, `proxy password`. */
  readonly label: string
  readonly value: string
}

/** Replaces secrets by stand-ins: the same secret by the same one, another by another, type and emptiness kept. */
export interface Redactor {
  /** Takes note of a secret, so that it is replaced wherever it shows up from now on. */
  learn(label: string, value: string): void
  /** The entry without secrets; those that it holds itself are learned first. */
  entry<One extends object>(entry: One): One
  json(value: Json): Json
  /** A text without secrets: of errors, URLs, bodies that are no JSON. */
  text(text: string): string
}

/**
 * @param known API keys, values of headers, credentials of a proxy
 * @param salt the same for all processes of one run; without it, stand-ins of two processes can't be compared
 */
export function createRedactor(known: readonly KnownSecret[], salt?: string): Redactor {
  return new StandInRedactor(known, salt)
}

/** Fields of entries that are Greenroom's own words. */
const ours = new Set([
  'kind',
  't',
  'scenario',
  'operation',
  'method',
  'key',
  'credential',
  'problem',
  'by',
  'why',
  'requirement',
])
/** Fields of a header that are so, too: what is planned, at length. */
const planned = new Set(['manifest', 'skipped'])
const deepestWalk = 250
const mostLearned = 20_000
const longestLearned = 16_384

/** How far into a text pairs of name and value are looked for; learned secrets are found anywhere. */
const longestPaired = 65_536

/** An address, or a path alone. */
const isUrl = /^(?:[a-z][a-z0-9+.-]*:\/)?\//i

/** In which way a value is walked: by names and learned values, or by learned values only. */
type Mode = 'all' | 'learned'

class StandInRedactor implements Redactor {
  readonly #standIns
  readonly #finder = createSecretFinder()
  readonly #learned = new Set<string>()
  readonly #numbers = new Map<number, number>()

  constructor(known: readonly KnownSecret[], salt: string | undefined) {
    this.#standIns = createStandIns(salt)
    for (const { label, value } of known) if (value !== '') this.#look(value, this.#standIns.fix(value, label))
  }

  learn(label: string, value: string): void {
    if (value === '' || this.#standIns.issued(value) || this.#learned.has(value)) return
    if (value.length < shortest || value.length > longestLearned || this.#learned.size >= mostLearned) return
    this.#look(value, this.#standIns.text(value, label))
  }

  entry<One extends object>(entry: One): One {
    const fields = Object.entries(entry) as [string, Json][]
    const kind = (entry as { kind?: unknown }).kind
    const modes = fields.map(([name]) => modeOf(kind, name, entry))
    fields.forEach(([name, value], place) => {
      if (modes[place] === 'all') this.#learnFrom(value, labelOf(kind, name, value), 0)
    })
    return Object.fromEntries(
      fields.map(([name, value], place) => [name, this.#field(value, labelOf(kind, name, value), modes[place])]),
    ) as unknown as One
  }

  json(value: Json): Json {
    this.#learnFrom(value, '', 0)
    return this.#replaced(value, '', 'all', 0)
  }

  text(text: string): string {
    return this.json(text) as string
  }

  #field(value: Json, label: string, mode: Mode | undefined): Json {
    return mode === undefined || typeof value === 'number' ? value : this.#replaced(value, label, mode, 0)
  }

  #look(value: string, standIn: string): void {
    this.#learned.add(value)
    for (const form of formsOf(value)) this.#finder.add(form.text, form.encoded ? encodeURIComponent(standIn) : standIn)
    const number = Number(value)
    if (value.length >= shortest && String(number) === value) this.#numbers.set(number, this.#standIns.number(number))
  }

  /** First pass: what stands under secret names is known before anything of the entry is written. */
  #learnFrom(value: Json, name: string, depth: number, within = false): void {
    if (depth > deepestWalk || value === null) return
    const secret = isSecretName(name)
    if (typeof value === 'string') {
      if (secret) this.#learnNamed(name, value, within)
      else this.#learnPairs(value)
    } else if (typeof value === 'number' && secret) this.learn(name, String(value))
    else if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) this.#learnFrom(item, name, depth + 1, within)
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) this.#learnFrom(item, secret ? name : key, depth + 1, secret)
    }
  }

  /** Cookies and objects under a secret name hold plain words as well; learned, those would shred the trace. */
  #learnNamed(name: string, value: string, within: boolean): void {
    const { secret } = credentialIn(name, value)
    const word = secret.length < 16 || /\s/.test(secret)
    if (!word || !(within || /cookie$/i.test(name))) this.learn(name, secret)
  }

  #learnPairs(whole: string): void {
    const text = whole.slice(0, longestPaired)
    if (!mayHoldPair(text)) return
    for (const [, , value = ''] of text.matchAll(inQuery)) this.learn('token', decoded(value))
    for (const [, , value = ''] of text.matchAll(inJsonText)) this.learn('secret', unescaped(value))
    for (const [, , value = ''] of text.matchAll(inQuotedJsonText)) this.learn('secret', value)
  }

  /** Second pass. */
  #replaced(value: Json, name: string, mode: Mode, depth: number): Json {
    if (depth > deepestWalk) return '[nested too deeply]'
    const secret = mode === 'all' && isSecretName(name)
    if (typeof value === 'string') return secret ? this.#named(name, value) : this.#inText(value, mode)
    if (typeof value === 'number') return secret ? this.#standIns.number(value) : (this.#numbers.get(value) ?? value)
    if (Array.isArray(value))
      return (value as readonly Json[]).map((item) => this.#replaced(item, name, mode, depth + 1))
    if (!isObject(value)) return value
    const copy: { [name: string]: Json } = {}
    for (const [key, item] of Object.entries(value)) {
      put(copy, this.#fieldName(key), this.#replaced(item, secret ? name : key, mode, depth + 1))
    }
    return copy
  }

  #named(name: string, value: string): string {
    if (value === '' || this.#standIns.issued(value)) return value
    const { before, secret, after } = credentialIn(name, value)
    return `${before}${this.#standIn(secret, name)}${after}`
  }

  #standIn(secret: string, label: string): string {
    return this.#standIns.issued(secret) ? secret : this.#standIns.text(secret, label)
  }

  #inText(text: string, mode: Mode): string {
    const found = this.#finder.replace(text, (standIn) => (isUrl.test(text) ? encodeStandIn(standIn) : standIn))
    if (mode === 'learned') return found
    return this.#withoutPairs(found.slice(0, longestPaired)) + found.slice(longestPaired)
  }

  /** Replaces what stands under a secret name inside a text, short values too. */
  #withoutPairs(text: string): string {
    const open = text.includes('@') ? text.replaceAll(inAuthority, (_, before: string) => `${before}credentials`) : text
    if (!mayHoldPair(open)) return open
    return open
      .replaceAll(inQuery, (_, before: string, value: string) => before + this.#paired(value, decoded, encodeStandIn))
      .replaceAll(inJsonText, (_, before: string, value: string) => before + this.#paired(value, unescaped))
      .replaceAll(inQuotedJsonText, (_, before: string, value: string) => before + this.#paired(value))
  }

  #paired(value: string, read = (text: string) => text, dress = (text: string) => text): string {
    const plain = read(value)
    return this.#standIns.issued(plain) ? value : dress(this.#standIns.text(plain, 'secret'))
  }

  /** Names are replaced only where a learned value is no word that a payload may use as a name. */
  #fieldName(name: string): string {
    return name.length >= 16 && /\d/.test(name) ? this.#finder.replace(name) : name
  }
}

/** Assignment would take `__proto__` for a prototype. */
function put(copy: { [name: string]: Json }, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  else copy[name] = value
}

/** What a field is called in a stand-in: with `secret` a control channel names the secret of its session. */
function labelOf(kind: unknown, name: string, value: Json): string {
  // What stands for a secret already is none.
  if (typeof value === 'string' && isStandIn(value)) return ''
  return kind === 'channel-open' && name === 'secret' ? 'client_secret' : name
}

function modeOf(kind: unknown, name: string, entry: object): Mode | undefined {
  if (ours.has(name)) return undefined
  if (name === 'reason' && (kind === 'failure' || kind === 'channel-refused')) return undefined
  if (kind === 'header') return planned.has(name) ? undefined : 'learned'
  const literal = kind === 'request' && name === 'headers' && (entry as { key?: unknown }).key === 'malformed'
  return literal ? 'learned' : 'all'
}

function encodeStandIn(standIn: string): string {
  return standIn.startsWith('[') ? encodeURIComponent(standIn) : standIn
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
