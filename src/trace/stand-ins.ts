import { createHmac, randomBytes } from 'node:crypto'

/** One per secret, the same in every process of a run that shares the salt, and no way back to the secret. */
export interface StandIns {
  /** Such as `[client_secret 81034216]`; the label is that of the first sight. */
  text(secret: string, label: string): string
  /** A whole number for a whole number, a broken one for a broken one. */
  number(secret: number): number
  /** Fixes the stand-in of a value that is known from the start: `[api_key primary]`. */
  fix(secret: string, label: string): string
  /** Whether the text is a stand-in that was given out. */
  issued(text: string): boolean
}

/** Whether a text of a trace looks like a stand-in for a secret. */
export function isStandIn(text: string): boolean {
  return /^\[[\w.-]+ [\w.-]+\]$/.test(text)
}

/** In which way a key is spoilt before it is sent; part of what stands for it. */
export const spoiltWays = ['cut', 'marred', 'turned'] as const

export type SpoiltWay = (typeof spoiltWays)[number]

/** What begins the stand-in of a spoilt key. */
export function spoiltLabel(key: string, way: SpoiltWay): string {
  return `api_key_${key}_${way}`
}

/** What stands for an API key, whole or spoilt, in a text of a trace. */
export interface KeyStandIn {
  /** As it stands there. */
  readonly text: string
  /** Name of the key. */
  readonly key: string
  /** Undefined for the whole key. */
  readonly way: SpoiltWay | undefined
}

const keyStandIn = new RegExp(
  String.raw`\[api_key (?<whole>[a-z]\w*)\]|\[api_key_(?<spoilt>\w+)_(?<way>${spoiltWays.join('|')}) \d+\]`,
  'g',
)

/** All that stands for API keys in a text: `[api_key primary]`, `[api_key_primary_cut 81034216]`. */
export function keysIn(text: string): readonly KeyStandIn[] {
  return [...text.matchAll(keyStandIn)].map(({ 0: all, groups: { whole, spoilt, way } = {} }) => ({
    text: all,
    key: whole ?? spoilt ?? '',
    way: way as SpoiltWay | undefined,
  }))
}

/** Whether a spoilt key is in an entry of a trace. */
export function saysSpoiltKey(entry: object): boolean {
  return keysIn(JSON.stringify(entry)).some(({ way }) => way !== undefined)
}

/** In which way a secret is not the session's own; part of what stands for it. */
export const wrongWays = ['longer', 'shorter', 'changed', 'other'] as const

export type WrongSecret = (typeof wrongWays)[number]

/** What begins the stand-in of a secret that is not the session's own. */
export function wrongLabel(way: WrongSecret): string {
  return `${way}_client_secret`
}

/** In which way a secret was made wrong, as its stand-in says; undefined for any other text. */
export function wrongWayIn(text: string): WrongSecret | undefined {
  return wrongWays.find((way) => text.startsWith(`[${wrongLabel(way)} `))
}

/** The same of a secret that was wrong; one that was never issued is another one. */
export function wrongWayOf(standIn: string): WrongSecret {
  return wrongWayIn(standIn) ?? 'other'
}

/** @param salt the same for all processes of a run; keeps others from guessing secrets by their stand-ins */
export function createStandIns(salt: string = randomBytes(16).toString('hex')): StandIns {
  const bySecret = new Map<string, string>()
  const given = new Set<string>()

  function digest(secret: string): number {
    return createHmac('sha256', salt).update(secret).digest().readUIntBE(0, 5)
  }

  function remember(secret: string, standIn: string): string {
    if (bySecret.size < mostRemembered) bySecret.set(secret, standIn)
    given.add(standIn)
    return standIn
  }

  function free(label: string, number: number): string {
    const standIn = `[${label} ${number}]`
    return given.has(standIn) && bySecret.size < mostRemembered ? free(label, number + 1) : standIn
  }

  return {
    text: (secret, label) => bySecret.get(secret) ?? remember(secret, free(plain(label), digest(secret))),
    number: (secret) => (secret === 0 ? 0 : digest(String(secret)) + (Number.isInteger(secret) ? 1 : 0.5)),
    fix: (secret, label) => bySecret.get(secret) ?? remember(secret, `[${label}]`),
    issued: (text) => given.has(text),
  }
}

const mostRemembered = 100_000

function plain(label: string): string {
  return label.toLowerCase().replaceAll(/[^\w.-]/g, '_')
}
